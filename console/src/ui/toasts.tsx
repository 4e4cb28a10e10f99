import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { describeError } from '@/api/error';
import { common } from '@/messages/common';
import { Button, IconButton } from './Button';
import { classes } from './classes';
import { useTopDialog } from './openDialogs';

type Toast = { id: number; text: string; isError: boolean; undo?: () => void };
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

const SHORT_MS = 4_000;
// Long enough to read an error, or to undo.
const LONG_MS = 12_000;

function show(toast: Omit<Toast, 'id'>, ms: number): void {
  const id = next++;
  set([...toasts, { ...toast, id }]);
  setTimeout(() => drop(id), ms);
}

/** Shows a message in the corner for a few seconds. */
export const toast = (text: string, isError = false): void => show({ text, isError }, isError ? LONG_MS : SHORT_MS);

/** Shows what was done, with a button that undoes it. */
export const toastUndo = (text: string, undo: () => void): void => show({ text, isError: false, undo }, LONG_MS);

/** Shows an error in the corner. */
export function toastError(error: unknown): void {
  const { detail, correlationId } = describeError(error);
  toast(correlationId === null ? detail : common.errorWithId(detail, correlationId), true);
}

/** The visible toasts, announced to screen readers. They are in the dialog on top, where their buttons work. */
export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts);
  const dialog = useTopDialog();
  return createPortal(
    <div
      role="status"
      aria-live="polite"
      className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {shown.map(({ id, text, isError, undo }) => (
        <div
          key={id}
          className={classes(
            'card flex items-start gap-2 px-3 py-2 text-body shadow-lg',
            isError && 'border-block! text-block',
          )}
        >
          <p className="min-w-0 flex-1 py-1 break-words">{text}</p>
          {undo && (
            <Button
              small
              onClick={() => {
                drop(id);
                undo();
              }}
            >
              {common.undo}
            </Button>
          )}
          <IconButton small label={common.dismiss} onClick={() => drop(id)}>
            <X size={13} />
          </IconButton>
        </div>
      ))}
    </div>,
    dialog ?? document.body,
  );
}
