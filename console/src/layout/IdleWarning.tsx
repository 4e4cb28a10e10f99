import { fill } from '@/lib/fill';
import { messages } from '@/messages/layout';
import { useIdle } from '@/session/idle';
import { signOut } from '@/session/session';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

/** Warns before an idle session ends. */
export function IdleWarning({ seconds }: { seconds: number }) {
  const { left, stay } = useIdle(seconds * 1000);
  if (left === null) return null;
  return (
    <Dialog
      title={messages.idle.title}
      onClose={stay}
      actions={
        <>
          <Button onClick={() => void signOut()}>{messages.idle.signOut}</Button>
          <Button kind="primary" onClick={stay}>
            {messages.idle.stay}
          </Button>
        </>
      }
    >
      <p className="text-body" role="timer">
        {fill(messages.idle.body, { time: <strong className="tabular">{messages.idle.seconds(left)}</strong> })}
      </p>
    </Dialog>
  );
}
