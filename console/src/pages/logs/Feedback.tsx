import { useMutation } from '@tanstack/react-query';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { words } from '@/lib/format';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { toast } from '@/ui/toasts';
import type { WholeRow } from './useTail';

const MARKS = ['false_positive', 'missed_attack'] as const;
type Mark = (typeof MARKS)[number];

/** What somebody says of the decision: stopped wrongly, or let through wrongly. */
export function Feedback({ row }: { row: WholeRow }) {
  const may = usePermission();
  const [picked, setPicked] = useState<Mark | null>(null);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (body: { mark: Mark | null; note?: string }) =>
      answer(api.PUT('/api/logs/{log_id}/mark', { params: { path: { log_id: row.log_id } }, body })),
    onSuccess: async ({ mark }) => {
      setPicked(null);
      toast(mark ? 'Marked.' : 'The mark is gone.');
      await queries.invalidateQueries({ queryKey: ['logs'] });
    },
  });
  if (!may('LOGS:MARK_LOG'))
    return row.mark ? (
      <p className="text-body">
        Marked as {words(row.mark).toLowerCase()}
        {row.mark_note && `: ${row.mark_note}`}
      </p>
    ) : null;
  return (
    <section aria-label="Mark" className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        {MARKS.map((mark) => (
          <Button
            key={mark}
            small
            aria-pressed={row.mark === mark}
            kind={row.mark === mark ? 'primary' : 'plain'}
            busy={run.isPending}
            onClick={() => (row.mark === mark ? run.mutate({ mark: null }) : setPicked(mark))}
          >
            <Flag aria-hidden size={13} />
            {words(mark)}
          </Button>
        ))}
        {row.mark_note && <p className="min-w-0 flex-1 text-xs text-quiet">{row.mark_note}</p>}
      </div>
      {picked !== null && (
        <Dialog
          title={`Mark as ${words(picked).toLowerCase()}`}
          onClose={() => setPicked(null)}
          actions={
            <>
              <Button onClick={() => setPicked(null)}>Cancel</Button>
              <Button kind="primary" type="submit" form="mark" busy={run.isPending}>
                Mark
              </Button>
            </>
          }
        >
          <form
            id="mark"
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              run.mutate({ mark: picked, note: String(new FormData(event.currentTarget).get('note')) || undefined });
            }}
          >
            <TextArea
              label="Note"
              name="note"
              rows={3}
              maxLength={1000}
              hint="Why, for whoever looks at it later. It also stands in the audit trail."
            />
            {run.error && <ErrorNote error={run.error} />}
          </form>
        </Dialog>
      )}
    </section>
  );
}
