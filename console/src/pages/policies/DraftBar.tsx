import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { changes } from '@/lib/diff';
import { type StoredPolicy, sent, writable } from '@/lib/policy';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Ago } from '@/ui/Time';
import { toast } from '@/ui/toasts';
import { Changes } from './Changes';
import type { Draft } from './useDraft';

/** What the draft changes, and the way to publish it. */
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
      toast('Published: it holds from the next request on.');
      await queries.invalidateQueries({ queryKey: ['policies'] });
    },
  });
  if (draft.changed === 0)
    return (
      <p className="text-xs text-quiet">
        Version {stored.version}, published <Ago at={stored.updated_at} />. Changes stay a draft in this tab until you
        publish them.
      </p>
    );
  return (
    <div className="sticky top-12 z-10 flex flex-wrap items-center gap-2 rounded-md border border-accent bg-accent-soft px-3 py-2 text-body lg:top-0">
      <p className="mr-auto font-medium">
        Draft: {draft.changed} {draft.changed === 1 ? 'change' : 'changes'} since version {stored.version}
      </p>
      <Button onClick={draft.discard}>Discard</Button>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Compare and publish
      </Button>
      {isOpen && (
        <Dialog
          wide
          title={`What version ${stored.version + 1} changes`}
          onClose={() => setOpen(false)}
          actions={
            <>
              <Button onClick={() => setOpen(false)}>Not yet</Button>
              <Button kind="primary" busy={publish.isPending} onClick={() => publish.mutate()}>
                Publish
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
