import { useSyncExternalStore } from 'react';

type OpenDialog = { element: HTMLDialogElement; close: () => void };

// All open dialogs; the last one is on top.
const open: OpenDialog[] = [];
const watchers = new Set<() => void>();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns the dialog on top. All that is outside of it is inert. */
export const useTopDialog = (): HTMLDialogElement | undefined =>
  useSyncExternalStore(watch, () => open.at(-1)?.element);

function notify(): void {
  for (const watcher of [...watchers]) watcher();
}

/**
 * Opens a modal dialog and returns a function that closes it. Escape calls `close` of the dialog on top only. Afterwards
 * the focus returns to the element that opened it.
 *
 * The browser's own handling of Escape is off: it closes every dialog that a single click opened, and the second time
 * even one that refuses.
 */
export function showModal(element: HTMLDialogElement, close: () => void): () => void {
  const opener = openerOf(document.activeElement);
  const entry = { element, close };
  element.setAttribute('closedby', 'none');
  element.showModal();
  open.push(entry);
  notify();
  return () => {
    open.splice(open.indexOf(entry), 1);
    notify();
    element.close();
    restoreFocus(opener, element);
  };
}

addEventListener('keydown', (event) => {
  const top = open.at(-1);
  // Menus above a dialog and input methods use Escape first.
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || top === undefined) return;
  event.preventDefault();
  top.close();
});

/** Returns the element that opens a dialog. An item of a menu disappears, so its button stands for it. */
function openerOf(active: Element | null): Element | null {
  const menu = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return menu ? document.getElementById(menu) : active;
}

/** Focuses the opener, or else the dialog or page that is on top now. The document itself never gets the focus. */
function restoreFocus(opener: Element | null, closed: HTMLDialogElement): void {
  if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true });
  // The browser keeps the focus in the closed dialog until it leaves the document.
  const active = document.activeElement;
  if (active !== null && active !== document.body && !closed.contains(active)) return;
  const top = open.at(-1)?.element;
  const next = top?.querySelector<HTMLElement>('button:enabled') ?? document.getElementById('content');
  next?.focus({ preventScroll: true });
}
