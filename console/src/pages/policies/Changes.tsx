import type { Change } from '@/lib/diff';
import { messages } from '@/messages/policies';
import { Table } from '@/ui/Table';

/** A table of the differences between two versions. */
export function Changes({ of }: { of: Change[] }) {
  return (
    <Table
      name={messages.changes.table}
      rows={of}
      id={({ field }) => field}
      empty={<p className="text-body text-quiet">{messages.changes.none}</p>}
      columns={[
        {
          head: messages.changes.field,
          value: ({ field }) => field,
          cell: ({ field }) => <span className="font-medium">{field}</span>,
        },
        {
          head: messages.changes.before,
          value: ({ from }) => from,
          cell: ({ from }) => (
            <span className="inline-block max-w-56 rounded bg-block-soft px-1 break-words text-block">{from}</span>
          ),
        },
        {
          head: messages.changes.after,
          value: ({ to }) => to,
          cell: ({ to }) => (
            <span className="inline-block max-w-56 rounded bg-allow-soft px-1 break-words text-allow">{to}</span>
          ),
        },
      ]}
    />
  );
}
