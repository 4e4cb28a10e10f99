import type { Change } from '@/lib/diff';
import { Table } from '@/ui/Table';

/** Differences between two versions. */
export function Changes({ of }: { of: Change[] }) {
  return (
    <Table
      name="Changes"
      rows={of}
      id={({ field }) => field}
      empty={<p className="text-body text-quiet">No difference.</p>}
      columns={[
        { head: 'Field', cell: ({ field }) => <span className="font-medium">{field}</span> },
        {
          head: 'Was',
          cell: ({ from }) => (
            <span className="inline-block max-w-56 rounded bg-block-soft px-1 break-words text-block">{from}</span>
          ),
        },
        {
          head: 'Becomes',
          cell: ({ to }) => (
            <span className="inline-block max-w-56 rounded bg-allow-soft px-1 break-words text-allow">{to}</span>
          ),
        },
      ]}
    />
  );
}
