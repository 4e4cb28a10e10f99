import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { changes } from '@/lib/diff';
import { fill } from '@/lib/fill';
import { type StoredPolicy, sent, writable } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { Button } from '@/ui/Button';
import { classes } from '@/ui/classes';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Ago } from '@/ui/Time';
import { toast, toastUndo } from '@/ui/toasts';
import { Changes } from './Changes';
import type { Draft } from './useDraft';

/** Shows the number of changes in the draft, and publishes it. */
export function DraftBar({ stored, draft }: { stored: StoredPolicy; draft: Draft }) {
  const [isOpen, setOpen] = useState(false);
  const publish = useMutation({
    meta: { shown: true },
    mutationFn: () =>
      answer(
        api.PUT('/api/policy/{policyId}', {
          params: { path: { policyId: stored.policyId } },
          body: sent(stored, draft.policy),
        }),
      ),
    onSuccess: async () => {
      draft.discard();
      setOpen(false);
      toast(messages.draft.done);
      await queries.invalidateQueries({ queryKey: ['policies'] });
    },
  });
  if (draft.changed === 0)
    return (
      <p className="text-xs text-quiet">
        {fill(messages.draft.published, { version: stored.version, time: <Ago at={stored.updated_at} /> })}
      </p>
    );
  return (
    <div
      className={classes(
        'sticky top-12 z-10 flex flex-wrap items-center gap-2 rounded-md border border-accent',
        'bg-accent-soft px-3 py-2 text-body lg:top-0',
      )}
    >
      <p className="mr-auto font-medium">{messages.draft.changes(draft.changed, stored.version)}</p>
      <Button
        onClick={() => {
          const discarded = draft.policy;
          draft.discard();
          toastUndo(messages.draft.discarded, () => draft.replace(discarded));
        }}
      >
        {messages.draft.discard}
      </Button>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {messages.draft.compare}
      </Button>
      {isOpen && (
        <Dialog
          wide
          title={messages.draft.title(stored.version + 1)}
          onClose={() => setOpen(false)}
          actions={
            <>
              <Button onClick={() => setOpen(false)}>{common.cancel}</Button>
              <Button kind="primary" busy={publish.isPending} onClick={() => publish.mutate()}>
                {messages.draft.publish}
              </Button>
            </>
          }
        >
          <div className="space-y-3">
            <Changes of={changes(writable(stored), draft.policy)} />
            {publish.error && <ErrorNote error={publish.error} />}
          </div>
        </Dialog>
      )}
    </div>
  );
}
