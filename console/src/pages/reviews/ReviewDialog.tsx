import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { messages } from '@/messages/reviews';
import { EntryDetails } from '@/pages/logs/EntryDetails';
import { Findings } from '@/pages/logs/Findings';
import { logEntry } from '@/pages/logs/filters';
import { StoredText } from '@/pages/logs/StoredText';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';

/** Shows the evidence of one review, and approves or denies it. */
export function ReviewDialog({ review, onClose }: { review: Schema<'ReviewRecord'>; onClose: () => void }) {
  const may = usePermission();
  const [note, setNote] = useState('');
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (decision: 'approve' | 'deny') =>
      answer(
        api.POST('/api/reviews/{review_id}', {
          params: { path: { review_id: review.review_id } },
          body: { decision, note: note || undefined },
        }),
      ),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['reviews'] });
    },
  });
  const whole = useQuery({
    ...logEntry(review.log?.log_id ?? ''),
    enabled: review.log != null && may('LOGS:VIEW_LOG'),
    retry: false,
  }).data;
  const isOpen = review.status === 'pending' && may('REVIEWS:DECIDE_REVIEW');
  return (
    <Dialog
      side
      title={messages.review}
      onClose={onClose}
      actions={
        isOpen && (
          <>
            <Button
              kind="danger"
              busy={run.isPending && run.variables === 'deny'}
              disabled={run.isPending}
              onClick={() => run.mutate('deny')}
            >
              {messages.deny}
            </Button>
            <Button
              kind="primary"
              busy={run.isPending && run.variables === 'approve'}
              disabled={run.isPending}
              onClick={() => run.mutate('approve')}
            >
              {messages.approve}
            </Button>
          </>
        )
      }
    >
      <div className="space-y-5">
        {review.log ? (
          <>
            <StoredText entry={review.log} />
            <Findings entry={review.log} confidences={whole?.confidences} />
            <EntryDetails entry={review.log} />
          </>
        ) : (
          <p className="text-body text-quiet">{messages.entryDeleted}</p>
        )}
        {review.note && (
          <p className="rounded-md bg-sunken px-3 py-2 text-body">
            <span className="text-quiet">{messages.note} </span>
            {review.note}
          </p>
        )}
        {isOpen && (
          <TextArea
            label={messages.addNote}
            rows={3}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            hint={messages.noteHint}
          />
        )}
        {run.error && <ErrorNote error={run.error} />}
      </div>
    </Dialog>
  );
}
