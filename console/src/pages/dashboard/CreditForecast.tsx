import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { timeLabel } from '@/charts/axis';
import { TimeChart } from '@/charts/TimeChart';
import { atRate, forecast, hasHistory } from '@/lib/forecast';
import { count, durationRange, shortMoment } from '@/lib/format';
import { binOf, grouped, hoursOf, type Range } from '@/lib/period';
import { useMedia } from '@/lib/useMedia';
import { messages } from '@/messages/dashboard';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';

const text = messages.credits;

type Usage = Schema<'CreditUsage'>;

/** Shows the credits that were used in a period, and how long the balance lasts at this usage. */
export function CreditForecast({ range }: { range: Range }) {
  const query = useQuery({
    queryKey: ['credits', 'usage', range.from, range.to],
    queryFn: async () => ({
      usage: await answer(api.GET('/api/credits/usage', { params: { query: range } })),
      now: Date.now(),
    }),
    refetchInterval: 60_000,
  });
  const bin = binOf(range, useMedia('(max-width: 1023px)'));
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
  const { bins, series } = useMemo(() => {
    const used = new Map(hours.map(({ hour, credits }) => [Date.parse(hour), credits]));
    const bars = grouped(hoursOf(range), bin, range).map(({ from, to, hours: of }) => {
      const value = of.reduce((sum, { hour }) => sum + (used.get(Date.parse(hour)) ?? 0), 0);
      const label = timeLabel(from, bin < 24);
      return { from, to, value, label, description: text.bar(label, value) };
    });
    const values = bars.map(({ value }) => value);
    return { bins: bars, series: [{ id: 'credits', name: text.title, color: 'var(--accent)', values }] };
  }, [hours, bin, range]);
  const total = hours.reduce((sum, { credits }) => sum + credits, 0);
  return (
    <TimeChart
      name={text.chart(shortMoment(range.from), shortMoment(range.to), count(total))}
      height={140}
      bins={bins}
      series={series}
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
