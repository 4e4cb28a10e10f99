import { useMutation } from '@tanstack/react-query';
import { Flag } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { inSentence, words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { toast, toastUndo } from '@/ui/toasts';
import type { LogEntryDetails } from './useTail';

const text = messages.feedback;
const VALUES = ['false_positive', 'missed_attack'] as const;
type Value = (typeof VALUES)[number];

/** Reports a false positive or a missed attack. */
export function Feedback({ entry }: { entry: LogEntryDetails }) {
  const may = usePermission();
  const [picked, setPicked] = useState<Value | null>(null);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: ({ mark, note }: { mark: Value | null; note?: string; undoes?: boolean }) =>
      answer(api.PUT('/api/logs/{log_id}/mark', { params: { path: { log_id: entry.log_id } }, body: { mark, note } })),
    onSuccess: async ({ mark }, { undoes }) => {
      setPicked(null);
      if (undoes) toast(text.undone);
      else {
        const before = { mark: entry.mark ?? null, note: entry.mark_note ?? undefined, undoes: true };
        toastUndo(mark ? text.saved : text.removed, () => run.mutate(before));
      }
      await queries.invalidateQueries({ queryKey: ['logs'] });
    },
  });
  if (!may('LOGS:MARK_LOG'))
    return entry.mark ? (
      <p className="text-body">
        {entry.mark_note ? text.givenWithNote(words(entry.mark), entry.mark_note) : text.given(words(entry.mark))}
      </p>
    ) : null;
  return (
    <section aria-label={text.label} className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        {VALUES.map((mark) => (
          <Button
            key={mark}
            small
            aria-pressed={entry.mark === mark}
            kind={entry.mark === mark ? 'primary' : 'plain'}
            busy={run.isPending}
            onClick={() => (entry.mark === mark ? run.mutate({ mark: null }) : setPicked(mark))}
          >
            <Flag aria-hidden size={13} />
            {words(mark)}
          </Button>
        ))}
        {entry.mark_note && <p className="min-w-0 flex-1 text-xs text-quiet">{entry.mark_note}</p>}
      </div>
      {picked !== null && (
        <Dialog
          title={text.dialog(inSentence(words(picked)))}
          onClose={() => setPicked(null)}
          actions={
            <>
              <Button onClick={() => setPicked(null)}>{common.cancel}</Button>
              <Button kind="primary" type="submit" form="feedback" busy={run.isPending}>
                {text.submit}
              </Button>
            </>
          }
        >
          <form
            id="feedback"
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              run.mutate({ mark: picked, note: String(new FormData(event.currentTarget).get('note')) || undefined });
            }}
          >
            <TextArea label={text.note} name="note" rows={3} maxLength={1000} hint={text.noteHint} />
            {run.error && <ErrorNote error={run.error} />}
          </form>
        </Dialog>
      )}
    </section>
  );
}
