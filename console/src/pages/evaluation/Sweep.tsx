import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { policies } from '@/api/data';
import { addToDraft } from '@/lib/drafts';
import { decimal, words } from '@/lib/format';
import { messages } from '@/messages/evaluation';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Field, Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Table } from '@/ui/Table';
import { rate } from './Confusion';
import type { Report, Run } from './data';
import { SweepChart } from './SweepChart';

const text = messages.sweep;
type SweepData = Schema<'Sweep'>;

/** Rates at each threshold of a guardrail, and the cost on the organization's own traffic. */
export function Sweep({ run, report }: { run: Run; report: Report }) {
  const names = report.guardrails.map(({ guardrail }) => guardrail);
  const [picked, setPicked] = useState(names[0]);
  const query = useQuery({
    queryKey: ['evaluation', 'runs', run.run_id, 'sweep', picked],
    queryFn: () =>
      answer(
        api.GET('/api/evaluation/runs/{run_id}/sweep', {
          params: { path: { run_id: run.run_id }, query: { guardrail: picked as Schema<'GuardrailName'> } },
        }),
      ),
    enabled: picked !== undefined,
  });
  if (picked === undefined) return <p className="text-body text-quiet">{text.noGuardrails}</p>;
  return (
    <Card title={text.title}>
      <div className="space-y-4">
        <p className="max-w-3xl text-xs text-quiet">{text.help}</p>
        <Select
          label={text.guardrail}
          boxClass="w-64"
          value={picked}
          options={names.map((name) => [name, words(name)] as const)}
          onChange={(event) => setPicked(event.target.value as typeof picked)}
        />
        <Loaded query={query}>{(sweep) => <Rates key={sweep.guardrail} run={run} sweep={sweep} />}</Loaded>
      </div>
    </Card>
  );
}

function Rates({ run, sweep }: { run: Run; sweep: SweepData }) {
  const [threshold, setThreshold] = useState(sweep.threshold);
  const { points, traffic } = sweep;
  const nearest = points.reduce((best, point) =>
    Math.abs(point.threshold - threshold) < Math.abs(best.threshold - threshold) ? point : best,
  );
  const name = words(sweep.guardrail);
  return (
    <div className="space-y-4">
      <SweepChart label={text.chart(name)} points={points} current={sweep.threshold} chosen={nearest.threshold} />
      <div className="flex flex-wrap items-end gap-4">
        <Field label={text.threshold} hint={text.current(decimal(sweep.threshold))} className="w-64">
          {(wiring) => (
            <input
              {...wiring}
              type="range"
              min={0.02}
              max={0.98}
              step={0.02}
              value={nearest.threshold}
              onChange={(event) => setThreshold(Number(event.target.value))}
              className="w-full accent-accent"
            />
          )}
        </Field>
        <UseThreshold run={run} guardrail={sweep.guardrail} threshold={nearest.threshold} />
      </div>
      <dl aria-live="polite" className="grid max-w-3xl grid-cols-2 gap-3 text-body sm:grid-cols-6">
        <Value head={text.threshold}>{decimal(nearest.threshold)}</Value>
        <Value head={messages.report.recall}>{rate(nearest.recall)}</Value>
        <Value head={messages.report.falsePositiveRate}>{rate(nearest.false_positive_rate)}</Value>
        <Value head={text.triggered}>{nearest.traffic_triggered}</Value>
        <Value head={text.added}>{nearest.traffic_added}</Value>
        <Value head={text.removed}>{nearest.traffic_removed}</Value>
      </dl>
      <p className="text-xs text-quiet">{traffic > 0 ? text.traffic(traffic) : text.noTraffic}</p>
      <SweepTable points={points} />
    </div>
  );
}

function Value({ head, children }: { head: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-quiet">{head}</dt>
      <dd className="tabular font-medium">{children}</dd>
    </div>
  );
}

function SweepTable({ points }: { points: SweepData['points'] }) {
  return (
    <details>
      <summary className="cursor-pointer text-body text-accent">{text.table}</summary>
      <div className="px-4 pt-3 pb-3">
        <Table
          name={text.table}
          rows={points}
          id={({ threshold }) => String(threshold)}
          columns={[
            {
              head: text.threshold,
              value: ({ threshold }) => threshold,
              cell: ({ threshold }) => decimal(threshold),
              number: true,
            },
            { head: messages.report.recall, value: ({ recall }) => rate(recall), number: true },
            {
              head: messages.report.falsePositiveRate,
              value: ({ false_positive_rate }) => rate(false_positive_rate),
              number: true,
            },
            { head: messages.report.precision, value: ({ precision }) => rate(precision), number: true },
            { head: text.triggered, value: ({ traffic_triggered }) => traffic_triggered, number: true },
            { head: text.added, value: ({ traffic_added }) => traffic_added, number: true },
            { head: text.removed, value: ({ traffic_removed }) => traffic_removed, number: true },
          ]}
        />
      </div>
    </details>
  );
}

/** Opens the policy editor with the threshold filled in as a draft. */
function UseThreshold({ run, guardrail, threshold }: { run: Run; guardrail: string; threshold: number }) {
  const may = usePermission();
  const navigate = useNavigate();
  const stored = useQuery(policies).data?.find(({ policyId }) => policyId === run.policyId);
  if (!stored || !may('FIREWALL_POLICIES:UPDATE_POLICY')) return null;
  const use = () => {
    addToDraft(stored, (draft) => ({
      guardrails: draft.guardrails.map((item) => (item.guardrail === guardrail ? { ...item, threshold } : item)),
    }));
    void navigate({
      to: '/policies/$policyId',
      params: { policyId: stored.policyId },
      search: { tab: 'guardrails' },
    });
  };
  return (
    <Button kind="primary" onClick={use}>
      {text.use}
    </Button>
  );
}
