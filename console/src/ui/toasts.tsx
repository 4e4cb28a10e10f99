import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { describeError } from '@/api/error';
import { common } from '@/messages/common';
import { IconButton } from './Button';
import { classes } from './classes';

type Toast = { id: number; text: string; isError: boolean };
let toasts: Toast[] = [];
let next = 0;
const watchers = new Set<() => void>();

function set(list: Toast[]): void {
  toasts = list;
  for (const watcher of watchers) watcher();
}
const drop = (id: number) => set(toasts.filter((toast) => toast.id !== id));
const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Shows a message in the corner for a few seconds. */
export function toast(text: string, isError = false): void {
  const id = next++;
  set([...toasts, { id, text, isError }]);
  setTimeout(() => drop(id), isError ? 12_000 : 4_000);
}

/** Shows an error in the corner. */
export function toastError(error: unknown): void {
  const { detail, correlationId } = describeError(error);
  toast(correlationId === null ? detail : common.errorWithId(detail, correlationId), true);
}

/** The visible toasts, announced to screen readers. */
export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {shown.map(({ id, text, isError }) => (
        <div
          key={id}
          className={classes(
            'card flex items-start gap-2 px-3 py-2 text-body shadow-lg',
            isError && 'border-block! text-block',
          )}
        >
          <p className="min-w-0 flex-1 py-1 break-words">{text}</p>
          <IconButton small label={common.dismiss} onClick={() => drop(id)}>
            <X size={13} />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
