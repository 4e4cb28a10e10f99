import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { timeLabel } from '@/charts/axis';
import { colorsOf, OTHERS } from '@/charts/colors';
import type { Bin, Series } from '@/charts/series';
import { TimeChart } from '@/charts/TimeChart';
import { count, moment, words } from '@/lib/format';
import { binOf, grouped, type Range } from '@/lib/period';
import { useMedia } from '@/lib/useMedia';
import { messages } from '@/messages/dashboard';
import { usePermission } from '@/session/me';
import { Empty } from '@/ui/Empty';
import { Card } from '@/ui/Page';

const text = messages.threats;

type Hour = Schema<'HourOfThreats'>;
/** A bar with its time, its number of requests, and how often each guardrail triggered. */
type Bar = Bin & { requests: number; counts: [guardrail: string, count: number][] };
type Props = {
  hours: Hour[];
  top: string[];
  range: Range;
  project: string | undefined;
  onZoom: (range: Range) => void;
};

// Guardrails that mask what people write: they trigger in harmless requests, and far more often than attacks.
const PERSONAL_DATA = ['pii', 'custom_pii'] as const;
const isPersonalData = (name: string) => PERSONAL_DATA.some((one) => one === name);

/** Shows threats over time by guardrail. A selected bar links to its log entries, markers show policy changes. */
export function Threats({ hours, top, range, project, onZoom }: Props) {
  const [selected, setSelected] = useState<string | null>(null);
  const markers = useMarkers(range);
  const bin = binOf(range, useMedia('(max-width: 1023px)'));
  const bars = useMemo(() => barsOf(hours, bin, range), [hours, bin, range]);
  const series = useMemo(() => seriesOf(bars, top), [bars, top]);
  const hasAttacks = series.some(({ group }) => group === text.attacks);
  const bar = bars.find(({ from }) => from === selected);
  return (
    <Card title={text.title} note={text.note(bin)}>
      {series.length === 0 ? (
        <Empty title={text.emptyTitle}>{text.emptyBody}</Empty>
      ) : (
        <>
          <TimeChart
            key={String(hasAttacks)}
            name={text.chart}
            bins={bars}
            series={series}
            // Masked traffic would hide attacks.
            hiddenAtFirst={hasAttacks ? PERSONAL_DATA : []}
            markers={markers}
            selected={selected}
            onSelect={setSelected}
            onZoom={onZoom}
          />
          {bar && <Selected bar={bar} project={project} />}
        </>
      )}
    </Card>
  );
}

/** Returns a series for each of the most frequent attacks, one for the others, and one for each type of personal data. */
function seriesOf(bars: Bar[], top: string[]): Series[] {
  const attacks = top.filter((name) => !isPersonalData(name));
  const { names, colorOf } = colorsOf(attacks);
  const valuesOf = (isIn: (guardrail: string) => boolean) =>
    bars.map(({ counts }) => counts.reduce((sum, [name, count]) => sum + (isIn(name) ? count : 0), 0));
  const isOther = (name: string) => !names.includes(name) && !isPersonalData(name);
  const all = [
    ...names.map((name) => ({
      id: name,
      name: name === OTHERS ? text.others : words(name),
      color: colorOf(name),
      group: text.attacks,
      values: valuesOf(name === OTHERS ? isOther : (one) => one === name),
    })),
    ...PERSONAL_DATA.map((name, index) => ({
      id: name,
      name: text.types[name],
      color: index === 0 ? 'var(--mask)' : 'var(--edge)',
      group: text.personalData,
      values: valuesOf((one) => one === name),
    })),
  ];
  return all.filter(({ values }) => values.some((value) => value > 0));
}

/** What triggered in the time of a bar. Each number opens the entries that it counts. */
function Selected({ bar, project }: { bar: Bar; project: string | undefined }) {
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
              {text.any} <span className="tabular">{count(bar.requests)}</span>
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
      {bar.counts.length > 1 && <p className="mt-1 text-xs text-quiet">{text.several}</p>}
    </section>
  );
}

/** Groups hours into as many bars as fit on the screen. */
function barsOf(hours: Hour[], bin: number, range: Range): Bar[] {
  return grouped(hours, bin, range).map(({ from, to, hours: of }) => {
    const counts: Record<string, number> = {};
    for (const { by_guardrail } of of)
      for (const [name, number] of Object.entries(by_guardrail)) counts[name] = (counts[name] ?? 0) + number;
    const requests = of.reduce((sum, { total }) => sum + total, 0);
    const label = timeLabel(from, bin < 24);
    return {
      from,
      to,
      label,
      description: text.bar(label, requests),
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
      time: created_at,
      label: text.policyChanged(principal, moment(created_at)),
    }))
    .filter(({ time }) => Date.parse(time) >= start && Date.parse(time) <= end);
}
