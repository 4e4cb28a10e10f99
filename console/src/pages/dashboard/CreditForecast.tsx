import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { timeLabel } from '@/charts/axis';
import { TimeChart } from '@/charts/TimeChart';
import { outlook } from '@/lib/forecast';
import { count, durationRange, shortMoment } from '@/lib/format';
import { binOf, grouped, hourlyRange, hoursOf, type Range } from '@/lib/period';
import { useMedia } from '@/lib/useMedia';
import { messages } from '@/messages/dashboard';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';

const text = messages.credits;

type Usage = Schema<'CreditUsage'>;

/** The period that a forecast follows from. */
const HISTORY = '7d';

const usageOf = (range: Range) =>
  queryOptions({
    queryKey: ['credits', 'usage', range.from, range.to],
    queryFn: async () => ({
      usage: await answer(api.GET('/api/credits/usage', { params: { query: range } })),
      now: Date.now(),
    }),
    refetchInterval: 60_000,
  });

/**
 * Shows the credits that were used in a period. How long the balance lasts follows from the last week, whatever the period
 * is. `children` are the actions of the card.
 */
export function CreditForecast({ range, children }: { range: Range; children?: ReactNode }) {
  const query = useQuery(usageOf(range));
  const bin = binOf(range, useMedia('(max-width: 1023px)'));
  return (
    <Card title={text.title} note={text.note(bin)} actions={children}>
      <Loaded query={query}>
        {({ usage }) => (
          <>
            <p className="tabular text-2xl font-semibold tracking-tight">
              <span className="sr-only">{text.balance} </span>
              {count(usage.balance)}
            </p>
            <Lasts />
            <Used hours={usage.hours} bin={bin} range={range} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** How long the balance lasts, or why that is unknown. */
function Lasts() {
  const { data } = useQuery(usageOf(hourlyRange({ last: HISTORY })));
  return <p className="mb-3 min-h-8 text-xs text-quiet">{data && lasts(data.usage, data.now)}</p>;
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
  if (balance > 0 && (hours.length === 0 || newest.since == null)) return text.idle(shortMoment(from));
  const charges = { ...newest, since: Date.parse(newest.since ?? from) };
  const used = hours.map(({ hour, credits }) => ({ at: Date.parse(hour), credits }));
  const found = outlook(balance, used, charges, now);
  if (found.kind === 'over') return text.over;
  if (found.kind === 'few') return text.few;
  if (found.kind === 'early') return text.early(shortMoment(new Date(found.since).toISOString()));
  if (found.kind === 'unclear') {
    const { soonest, latest } = found.current;
    return `${text.unclear} ${text.atRate(durationRange(soonest, latest), newest.charges)}`;
  }
  const { range, since } = found;
  return text.lasts(durationRange(range.soonest, range.latest), shortMoment(new Date(since).toISOString()));
}
