import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { queries } from '@/api/queries';
import { allPages } from '@/lib/allPages';
import { type BulkResult, MOST_AT_ONCE, runAll } from '@/lib/bulk';
import { common } from '@/messages/common';
import { messages } from '@/messages/tickets';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Failures } from '@/ui/Failures';
import { toast } from '@/ui/toasts';
import { loadTickets, retry, type Ticket } from './data';

const text = messages.retryAll;

/** Queues every failed ticket again, at most 500 at once, and says which ones were refused. */
export function RetryAll({ connector }: { connector: string | undefined }) {
  const [failed, setFailed] = useState<BulkResult<Ticket>['failed']>([]);
  const run = useMutation({
    mutationFn: async () => {
      const load = async (cursor: string | undefined) => {
        const { tickets, next_cursor } = await loadTickets({ status: 'dead', connector }, cursor, MOST_AT_ONCE);
        return { items: tickets, next: next_cursor };
      };
      const { items } = await allPages(load, MOST_AT_ONCE, new AbortController().signal);
      // A retried comment also retries its ticket, and the other way round: each only once.
      const own = items.filter(({ comments_on }) => !items.some(({ ticket_id }) => ticket_id === comments_on));
      return runAll(own, ({ ticket_id }) => retry(ticket_id));
    },
    onSuccess: ({ done, failed: refused }) => {
      setFailed(refused);
      if (done.length > 0 || refused.length === 0) toast(text.done(done.length));
      return queries.invalidateQueries({ queryKey: ['tickets'] });
    },
  });
  return (
    <>
      <Button busy={run.isPending} onClick={() => run.mutate()}>
        <RotateCw aria-hidden size={14} />
        {text.button}
      </Button>
      {failed.length > 0 && (
        <Dialog
          title={text.button}
          onClose={() => setFailed([])}
          actions={<Button onClick={() => setFailed([])}>{common.close}</Button>}
        >
          <Failures
            title={text.failed(failed.length)}
            failed={failed.map(({ item, reason }) => ({ name: item.title, reason }))}
          />
        </Dialog>
      )}
    </>
  );
}
