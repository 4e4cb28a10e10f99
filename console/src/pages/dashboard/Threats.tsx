import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { timeLabel } from '@/charts/axis';
import { colorsOf, OTHERS } from '@/charts/colors';
import { type Bar, StackedBars } from '@/charts/StackedBars';
import { count, moment, words } from '@/lib/format';
import { useMedia } from '@/lib/useMedia';
import { messages } from '@/messages/dashboard';
import { usePermission } from '@/session/me';
import { Empty } from '@/ui/Empty';
import { Card } from '@/ui/Page';
import { grouped, type Period, type Range } from './period';

type Hour = Schema<'HourOfThreats'>;
/** A bar with its time, its number of requests, and how often each guardrail triggered. */
type TimedBar = Bar & Range & { requests: number; counts: [guardrail: string, count: number][] };
type Props = { hours: Hour[]; top: string[]; period: Period; range: Range; project: string | undefined };

/** Shows threats over time by guardrail. A selected bar links to its log entries, markers show policy changes. */
export function Threats({ hours, top, period, range, project }: Props) {
  const [selected, setSelected] = useState<string | null>(null);
  const markers = useMarkers(range);
  const { names, colorOf } = colorsOf(top);
  const bin = useMedia('(max-width: 1023px)') ? period.narrowBin : period.bin;
  const bars = barsOf(hours, bin, range, names);
  const total = hours.reduce((sum, { total }) => sum + total, 0);
  const bar = bars.find(({ id }) => id === selected);
  return (
    <Card title={messages.threats.title} note={messages.threats.note(bin)}>
      {total === 0 ? (
        <Empty title={messages.threats.emptyTitle}>{messages.threats.emptyBody}</Empty>
      ) : (
        <>
          <StackedBars
            name={messages.threats.chart}
            bars={bars}
            series={names}
            colorOf={colorOf}
            nameOf={(name) => (name === OTHERS ? messages.threats.others : words(name))}
            markers={markers}
            selected={selected}
            onSelect={setSelected}
          />
          {bar && <Selected bar={bar} project={project} />}
        </>
      )}
    </Card>
  );
}

/** What triggered in the time of a bar. Each number opens the entries that it counts. */
function Selected({ bar, project }: { bar: TimedBar; project: string | undefined }) {
  return (
    <section aria-label={bar.description} className="mt-2 rounded-md bg-sunken px-3 py-2 text-body">
      <h3 className="text-xs font-semibold">{bar.description}</h3>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {bar.requests > 0 && (
          <li>
            <Link
              to="/logs"
              search={{ triggered: true, from: bar.from, to: bar.to, project }}
              className="font-medium text-accent hover:underline"
            >
              {messages.threats.any} <span className="tabular">{count(bar.requests)}</span>
            </Link>
          </li>
        )}
        {bar.counts.map(([guardrail, number]) => (
          <li key={guardrail}>
            <Link
              to="/logs"
              search={{ guardrail, from: bar.from, to: bar.to, project }}
              className="text-accent hover:underline"
            >
              {words(guardrail)} <span className="tabular">{count(number)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {bar.counts.length > 1 && <p className="mt-1 text-xs text-quiet">{messages.threats.several}</p>}
    </section>
  );
}

/** Groups hours into as many bars as fit on the screen. */
function barsOf(hours: Hour[], bin: number, range: Range, names: string[]): TimedBar[] {
  return grouped(hours, bin, range).map(({ from, to, hours: of }) => {
    const counts: Record<string, number> = {};
    for (const { by_guardrail } of of)
      for (const [name, number] of Object.entries(by_guardrail)) counts[name] = (counts[name] ?? 0) + number;
    const parts: Record<string, number> = {};
    for (const [name, number] of Object.entries(counts)) {
      const series = names.includes(name) ? name : OTHERS;
      parts[series] = (parts[series] ?? 0) + number;
    }
    const requests = of.reduce((sum, { total }) => sum + total, 0);
    const label = timeLabel(from, bin < 24);
    return {
      id: from,
      from,
      to,
      label,
      description: messages.threats.bar(label, requests),
      parts,
      requests,
      counts: Object.entries(counts).sort(([, one], [, other]) => other - one),
    };
  });
}

/** The policy changes of a range, as marks on its axis. */
function useMarkers({ from, to }: Range) {
  const may = usePermission();
  const query = useQuery({
    queryKey: ['audit', 'policy changes', from],
    queryFn: () =>
      answer(
        api.GET('/api/audit', { params: { query: { action: 'FIREWALL_POLICIES:UPDATE_POLICY', from, limit: 100 } } }),
      ),
    enabled: may('AUDIT:VIEW_AUDIT'),
    staleTime: 60_000,
  });
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return (query.data?.entries ?? [])
    .map(({ entry_id, created_at, principal }) => ({
      id: entry_id,
      at: (Date.parse(created_at) - start) / (end - start),
      label: messages.threats.policyChanged(principal, moment(created_at)),
    }))
    .filter(({ at }) => at >= 0 && at <= 1);
}
