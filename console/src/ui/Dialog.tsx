import { X } from 'lucide-react';
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { common } from '@/messages/common';
import { IconButton } from './Button';
import { classes } from './classes';
import { showModal } from './openDialogs';

type Props = {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  side?: boolean;
  wide?: boolean;
  /** Closes only by its buttons: what it shows cannot be shown again. */
  isFirm?: boolean;
};

/**
 * A dialog in the center, or a drawer at the side. The native `<dialog>` keeps the focus inside and makes the page
 * behind it inert. It adds no inline styles, which the security policy forbids.
 */
export function Dialog({ title, onClose, children, actions, side = false, wide = false, isFirm = false }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  const leave = useEffectEvent(() => {
    if (!isFirm) onClose();
  });
  // Closes before the element leaves the document: later the browser could not return the focus.
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog === null) return;
    const hide = showModal(dialog, () => leave());
    // Focus the first field of a form. Drawers are read from the top.
    if (!side) dialog.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return hide;
  }, [side]);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      // The back gesture of a phone; Escape is handled for all dialogs together.
      onCancel={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (!isFirm) onClose();
      }}
      onMouseDown={(event) => event.target === event.currentTarget && !isFirm && onClose()}
      className={classes(
        'border border-line bg-surface shadow-2xl',
        side
          ? 'ml-auto h-dvh max-h-none w-full max-w-2xl border-y-0 border-r-0'
          : classes('m-auto max-h-[90dvh] w-[calc(100vw-2rem)] rounded-xl', wide ? 'max-w-3xl' : 'max-w-lg'),
      )}
    >
      <div className="flex max-h-[inherit] min-h-0 flex-col">
        <header className="sticky top-0 z-10 flex items-center gap-3 border-b border-line bg-surface px-5 py-3">
          <h2 id={id} className="min-w-0 flex-1 text-title font-semibold">
            {title}
          </h2>
          <IconButton label={common.close} onClick={onClose}>
            <X size={16} />
          </IconButton>
        </header>
        <div className="px-5 py-4">{children}</div>
        {actions && (
          <footer
            className={classes(
              'sticky bottom-0 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3',
            )}
          >
            {actions}
          </footer>
        )}
      </div>
    </dialog>
  );
}
