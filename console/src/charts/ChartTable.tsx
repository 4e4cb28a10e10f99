import { messages } from '@/messages/charts';
import { Table } from '@/ui/Table';
import type { Bin, Series } from './series';

/** The values of a chart as a table, which sorts and is downloaded like the others. */
export function ChartTable({ name, bins, series }: { name: string; bins: Bin[]; series: Series[] }) {
  const rows = bins.map((bin, index) => ({ bin, index }));
  return (
    <div className="max-h-80 overflow-y-auto px-4 pt-3">
      <Table
        name={name}
        rows={rows}
        id={({ bin }) => bin.from}
        columns={[
          { head: messages.time, value: ({ bin }) => new Date(bin.from), cell: ({ bin }) => bin.label },
          ...series.map(({ name: head, values }) => ({
            head,
            value: ({ index }: { index: number }) => values[index] ?? 0,
            number: true,
          })),
        ]}
      />
    </div>
  );
}
