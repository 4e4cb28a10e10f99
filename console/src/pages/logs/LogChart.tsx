import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { timeLabel } from '@/charts/axis';
import type { Bin, Series } from '@/charts/series';
import { TimeChart } from '@/charts/TimeChart';
import { moment, shortTime, words } from '@/lib/format';
import { binOf, grouped, hoursOf, type Range } from '@/lib/period';
import { useMedia } from '@/lib/useMedia';
import { messages } from '@/messages/logs';
import { NOT_EVALUATED } from '@/ui/Pill';
import { declared, type LogFilters } from './filters';

const text = messages.histogram;

const HOUR_SECONDS = 3_600;
const MINUTE = 60_000;
// Shorter periods have buckets of minutes, so they end now and not with the hour.
const SHORT = 6 * 60 * MINUTE;
const LONGEST = 399 * 24 * 60 * MINUTE;

// Outcomes from the bottom of the stack, with their colors.
const OUTCOMES = [
  ['blocked', 'var(--block)'],
  ['escalated', 'var(--escalate)'],
  ['challenged', 'var(--challenge)'],
  ['would_block', 'var(--s2)'],
  ['masked', 'var(--mask)'],
  ['allowed', 'var(--allow)'],
  [NOT_EVALUATED, 'var(--edge)'],
] as const;

type Histogram = Schema<'LogHistogram'>;

/** Returns the period that the chart of a log shows. */
export function chartPeriod({ from, to }: LogFilters, now = Date.now()): Partial<Range> {
  const isShort = from !== undefined && now - Date.parse(from) < SHORT;
  const end = to ?? (isShort ? new Date(Math.ceil(now / MINUTE) * MINUTE).toISOString() : undefined);
  const earliest = (end === undefined ? now : Date.parse(end)) - LONGEST;
  const start = from !== undefined && Date.parse(from) < earliest ? new Date(earliest).toISOString() : from;
  return { from: start, to: end };
}

const histogram = (filters: LogFilters) =>
  queryOptions({
    queryKey: ['logs', 'histogram', filters],
    queryFn: () =>
      answer(api.GET('/api/logs/histogram', { params: { query: declared({ ...filters, ...chartPeriod(filters) }) } })),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });

/** The matching entries over time by outcome, from which a part is selected by dragging. */
export function LogChart({ filters, onZoom }: { filters: LogFilters; onZoom: (range: Range) => void }) {
  const { data } = useQuery(histogram(filters));
  const isNarrow = useMedia('(max-width: 1023px)');
  const chart = useMemo(() => data && chartOf(data, isNarrow), [data, isNarrow]);
  if (data === undefined || chart === undefined || chart.series.length === 0) return null;
  const select = (from: string | null) => {
    const bin = chart.bins.find((one) => one.from === from);
    if (bin) onZoom({ from: bin.from, to: bin.to });
  };
  return (
    <section aria-label={text.label} className="card shrink-0 px-3 pt-2 pb-1">
      <TimeChart
        name={text.chart}
        height={110}
        bins={chart.bins}
        series={chart.series}
        onSelect={select}
        onZoom={onZoom}
      />
      {filters.from === undefined && filters.to === undefined && (
        <p className="pl-2 text-xs text-quiet">{text.lastDay}</p>
      )}
      {data.counted_since && <p className="pl-2 text-xs text-quiet">{text.since(moment(data.counted_since))}</p>}
    </section>
  );
}

/** Returns the bars of a histogram, and a series for each outcome that it has. */
export function chartOf(data: Histogram, isNarrow: boolean): { bins: Bin[]; series: Series[] } {
  const counts = new Map(data.buckets.map(({ from, by_outcome }) => [Date.parse(from), by_outcome]));
  const bars = data.bucket_seconds === HOUR_SECONDS ? hourly(data, isNarrow) : even(data);
  const countOf = (starts: number[], outcome: string) =>
    starts.reduce((sum, start) => sum + (counts.get(start)?.[outcome] ?? 0), 0);
  const series = OUTCOMES.map(([id, color]) => ({
    id,
    name: words(id),
    color,
    values: bars.map(({ starts }) => countOf(starts, id)),
  })).filter(({ values }) => values.some((value) => value > 0));
  const bins = bars.map(({ from, to, label }, index) => {
    const entries = series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
    return { from, to, label, description: text.bar(label, entries) };
  });
  return { bins, series };
}

type Bar = Range & { label: string; starts: number[] };

function hourly({ from, to }: Histogram, isNarrow: boolean): Bar[] {
  const bin = binOf({ from, to }, isNarrow);
  return grouped(hoursOf({ from, to }), bin, { from, to }).map((bar) => ({
    ...bar,
    label: timeLabel(bar.from, bin < 24),
    starts: bar.hours.map(({ hour }) => Date.parse(hour)),
  }));
}

function even({ from, to, bucket_seconds }: Histogram): Bar[] {
  const length = bucket_seconds * 1000;
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const first = Math.floor(begin / length) * length;
  return Array.from({ length: Math.ceil((end - first) / length) }, (_, index) => {
    const start = first + index * length;
    const shown = new Date(Math.max(start, begin)).toISOString();
    const until = new Date(Math.min(start + length, end)).toISOString();
    return { from: shown, to: until, label: length < MINUTE ? moment(shown) : shortTime(shown), starts: [start] };
  });
}
