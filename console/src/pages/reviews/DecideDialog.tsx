import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '@/api/queries';
import { type BulkResult, runAll } from '@/lib/bulk';
import { common } from '@/messages/common';
import { messages } from '@/messages/reviews';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Failures } from '@/ui/Failures';
import { Input } from '@/ui/Field';
import { toast } from '@/ui/toasts';
import { decide, type Review, type Verdict } from './data';

type Props = {
  reviews: Review[];
  verdict: Verdict;
  onClose: () => void;
  /** Called with the identifiers of the reviews that were decided. */
  onDecided: (ids: string[]) => void;
};

const text = messages.decide;

/** Asks before reviews are approved or denied, with one note for all of them, and says which ones failed. */
export function DecideDialog({ reviews, verdict, onClose, onDecided }: Props) {
  const [failed, setFailed] = useState<BulkResult<Review>['failed']>([]);
  const run = useMutation({
    mutationFn: (note: string) => runAll(reviews, ({ review_id }) => decide(review_id, verdict, note)),
    onSuccess: async (result) => {
      const done = result.done.map(({ review_id }) => review_id);
      if (done.length > 0) toast(text.done[verdict](done.length));
      setFailed(result.failed);
      await queries.invalidateQueries({ queryKey: ['reviews'] });
      onDecided(done);
      if (result.failed.length === 0) onClose();
    },
  });
  const isOver = failed.length > 0;
  return (
    <Dialog
      title={text.title[verdict](reviews.length)}
      onClose={onClose}
      actions={
        isOver ? (
          <Button onClick={onClose}>{common.close}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{common.cancel}</Button>
            <Button
              kind={verdict === 'deny' ? 'danger' : 'primary'}
              type="submit"
              form="decide-review"
              busy={run.isPending}
            >
              {messages[verdict]}
            </Button>
          </>
        )
      }
    >
      {isOver ? (
        <Failures
          title={text.failed(failed.length)}
          failed={failed.map(({ item, reason }) => ({ name: nameOf(item), reason }))}
        />
      ) : (
        <form
          id="decide-review"
          className="space-y-3 text-body"
          onSubmit={(event) => {
            event.preventDefault();
            run.mutate(String(new FormData(event.currentTarget).get('note')).trim());
          }}
        >
          <p>{text.final}</p>
          <Input label={messages.addNote} name="note" maxLength={2000} hint={messages.noteHint} />
        </form>
      )}
    </Dialog>
  );
}

/** Returns how a review is named where only its text can identify it. */
export const nameOf = ({ log, review_id }: Review): string =>
  [log?.username, log?.text?.slice(0, 60)].filter(Boolean).join(': ') || review_id;
