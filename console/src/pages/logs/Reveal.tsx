import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { isInSubject, type Triggered } from '@/lib/policy';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { Marked } from '@/ui/Marked';
import type { WholeRow } from './useTail';

/** The text as it was sent, for a reason that stands in the audit trail; or why there is nothing to reveal. */
export function Reveal({ row }: { row: WholeRow }) {
  const may = usePermission();
  const [isAsking, setAsking] = useState(false);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (reason: string) =>
      answer(api.POST('/api/logs/{log_id}/reveal', { params: { path: { log_id: row.log_id } }, body: { reason } })),
    onSuccess: () => setAsking(false),
    gcTime: 0,
  });
  if (run.data) return <Revealed row={row} text={run.data.text} />;
  const why = !row.is_sealed
    ? 'The text as it was sent is not kept sealed, so that nothing can be revealed. Projects whose log content is “sealed” keep it.'
    : !may('LOGS:REVEAL_TEXT')
      ? 'To reveal the text as it was sent, a role needs LOGS:REVEAL_TEXT.'
      : null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button small disabled={why !== null} onClick={() => setAsking(true)}>
        <Eye aria-hidden size={13} />
        Reveal the text
      </Button>
      {why !== null && <p className="min-w-0 flex-1 text-xs text-quiet">{why}</p>}
      {isAsking && (
        <Dialog
          title="Reveal the text as it was sent?"
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button kind="primary" type="submit" form="reveal" busy={run.isPending}>
                Reveal
              </Button>
            </>
          }
        >
          <form
            id="reveal"
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              run.mutate(String(new FormData(event.currentTarget).get('reason')));
            }}
          >
            <Input
              label="Reason"
              name="reason"
              required
              maxLength={500}
              hint="It stands in the audit trail, with your name and this row."
            />
            {run.error && <ErrorNote error={run.error} />}
          </form>
        </Dialog>
      )}
    </div>
  );
}

function Revealed({ row, text }: { row: WholeRow; text: string }) {
  const finds = row.triggered_guardrails as unknown as Triggered[];
  const marks = finds.flatMap(({ name, spans }) => spans.filter(isInSubject).map((span) => ({ name, span })));
  return (
    <div className="space-y-1">
      <h3 className="text-xs font-semibold text-quiet">
        Text as it was sent; that you saw it stands in the audit trail
      </h3>
      <div
        className="max-h-80 overflow-y-auto rounded-md border border-accent bg-canvas p-3"
        tabIndex={0}
        role="region"
        aria-label="Text as it was sent"
      >
        <Marked text={text} marks={marks} />
      </div>
    </div>
  );
}
