import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '@/messages/common';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { ErrorNote } from './ErrorNote';

type Props = {
  title: string;
  children: ReactNode;
  verb: string;
  act: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
};

/** Asks before an action that cannot be undone. Stays open if the server refuses it. */
export function Confirm({ title, children, verb, act, onDone, onClose }: Props) {
  const run = useMutation({ mutationFn: act, onSuccess: onDone, meta: { shown: true } });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="danger" busy={run.isPending} onClick={() => run.mutate()}>
            {verb}
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-body">
        {children}
        {run.error && <ErrorNote error={run.error} />}
      </div>
    </Dialog>
  );
}
