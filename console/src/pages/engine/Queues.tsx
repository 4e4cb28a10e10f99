import type { Schema } from '@/api/client';
import { words } from '@/lib/format';
import { messages as text } from '@/messages/engine';
import { Meter } from '@/ui/Meter';
import { Card } from '@/ui/Page';
import { Table } from '@/ui/Table';

type Queue = Schema<'QueueState'>;

const nameOf = ({ name }: Queue) => text.queueNames[name] ?? words(name);

/** The work in progress before threads and media workers. */
export function Queues({ of: queues }: { of: Queue[] }) {
  return (
    <Card title={text.queues}>
      <Table
        name={text.queues}
        rows={queues}
        id={({ name }) => name}
        columns={[
          { head: text.queue, cell: nameOf },
          {
            head: text.busy,
            className: 'min-w-36',
            cell: (queue) => (
              <span className="flex items-center gap-2">
                <span className="tabular w-14 shrink-0">{text.load(queue.busy, queue.capacity)}</span>
                <Meter label={text.loadOf(nameOf(queue))} value={queue.busy / queue.capacity} threshold={null} />
              </span>
            ),
          },
          {
            head: text.waiting,
            cell: ({ waiting, max_waiting }) => text.load(waiting, max_waiting),
            number: true,
          },
        ]}
      />
    </Card>
  );
}
