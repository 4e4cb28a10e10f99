import { useIdle } from '@/session/idle';
import { signOut } from '@/session/session';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

/** Warns a minute before a session ends for idleness. */
export function IdleWarning({ seconds }: { seconds: number }) {
  const { left, stay } = useIdle(seconds * 1000);
  if (left === null) return null;
  return (
    <Dialog
      title="Are you still there?"
      onClose={stay}
      actions={
        <>
          <Button onClick={() => void signOut()}>Sign out now</Button>
          <Button kind="primary" onClick={stay}>
            Stay signed in
          </Button>
        </>
      }
    >
      <p className="text-body" role="timer">
        You will be signed out in <strong className="tabular">{left}</strong> {left === 1 ? 'second' : 'seconds'},
        because nothing happened here for a while.
      </p>
    </Dialog>
  );
}
