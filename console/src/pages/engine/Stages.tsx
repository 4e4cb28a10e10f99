import type { Schema } from '@/api/client';
import { decimal, words } from '@/lib/format';
import { messages as text } from '@/messages/engine';
import { messages as logs } from '@/messages/logs';
import { Card } from '@/ui/Page';
import { Table } from '@/ui/Table';

type Stage = Schema<'StageLatency'>;

const ms = (value: number) => text.ms(decimal(value, value < 10 ? 2 : 0));

/** How long the newest requests spent in each stage. */
export function Stages({ of: stages }: { of: Stage[] }) {
  const percentile = (head: string, of: (stage: Stage) => number) => ({
    head,
    value: of,
    cell: (stage: Stage) => ms(of(stage)),
    number: true,
  });
  return (
    <Card title={text.stages} note={text.stagesNote}>
      <Table
        name={text.stages}
        rows={stages}
        id={({ stage }) => stage}
        empty={<p className="py-2 text-body text-quiet">{text.noStages}</p>}
        columns={[
          {
            head: text.stage,
            value: ({ stage }) => logs.timing.stages[stage] ?? words(stage),
          },
          { head: text.requests, value: ({ requests }) => requests, number: true },
          percentile('p50', ({ p50_ms }) => p50_ms),
          percentile('p95', ({ p95_ms }) => p95_ms),
          percentile('p99', ({ p99_ms }) => p99_ms),
        ]}
      />
    </Card>
  );
}
