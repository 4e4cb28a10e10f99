import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { timeLabel } from '@/charts/axis';
import { Columns } from '@/charts/Columns';
import { atRate, forecast, hasHistory } from '@/lib/forecast';
import { count, durationRange, shortMoment } from '@/lib/format';
import { useMedia } from '@/lib/useMedia';
import { messages } from '@/messages/dashboard';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { grouped, hoursOf, type Period, type Range } from './period';

const text = messages.credits;

type Usage = Schema<'CreditUsage'>;

/** Shows the credits that were used in a period, and how long the balance lasts at this usage. */
export function CreditForecast({ period, range }: { period: Period; range: Range }) {
  const query = useQuery({
    queryKey: ['credits', 'usage', range.from, range.to],
    queryFn: async () => ({
      usage: await answer(api.GET('/api/credits/usage', { params: { query: range } })),
      now: Date.now(),
    }),
    refetchInterval: 60_000,
  });
  const bin = useMedia('(max-width: 1023px)') ? period.narrowBin : period.bin;
  return (
    <Card
      title={text.title}
      note={text.note(bin)}
      actions={
        <Link to="/credits" className="text-xs text-accent hover:underline">
          {text.ledger}
        </Link>
      }
    >
      <Loaded query={query}>
        {({ usage, now }) => (
          <>
            <p className="tabular text-2xl font-semibold tracking-tight">
              <span className="sr-only">{text.balance} </span>
              {count(usage.balance)}
            </p>
            <p className="mb-3 min-h-8 text-xs text-quiet">{lasts(usage, now)}</p>
            <Used hours={usage.hours} bin={bin} range={range} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Used({ hours, bin, range }: { hours: Usage['hours']; bin: number; range: Range }) {
  const used = new Map(hours.map(({ hour, credits }) => [Date.parse(hour), credits]));
  const columns = grouped(hoursOf(range), bin, range).map(({ from, hours: of }) => {
    const value = of.reduce((sum, { hour }) => sum + (used.get(Date.parse(hour)) ?? 0), 0);
    return { id: from, value, description: text.bar(timeLabel(from, bin < 24), value) };
  });
  const total = hours.reduce((sum, { credits }) => sum + credits, 0);
  return (
    <Columns
      columns={columns}
      {...range}
      hasTimes={bin < 24}
      description={text.chart(shortMoment(range.from), shortMoment(range.to), count(total))}
    />
  );
}

/** Describes how long the balance lasts. */
function lasts({ balance, hours, newest, from }: Usage, now: number): string {
  if (balance <= 0) return text.over;
  const first = hours[0];
  if (first === undefined || newest.since == null) return text.idle(shortMoment(from));
  const charges = { ...newest, since: Date.parse(newest.since) };
  const usage = hours.map(({ hour, credits }) => ({ at: Date.parse(hour), credits }));
  const range = forecast(balance, usage, charges, now);
  if (range !== null && hasHistory(usage, now))
    return text.lasts(durationRange(range.soonest, range.latest), shortMoment(first.hour));
  const current = atRate(balance, charges, now);
  if (current === null) return text.few;
  const rate = text.atRate(durationRange(current.soonest, current.latest), newest.charges);
  return range === null ? `${text.unclear} ${rate}` : rate;
}
