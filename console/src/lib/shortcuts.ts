import { useEffect, useEffectEvent } from 'react';

/** True if the key goes to a field, or to something that uses keys itself. */
function isTaken({ target, ctrlKey, metaKey, altKey, isComposing, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="menu"], [role="textbox"]') !== null)
  );
}

/** Runs an action for a key, unless it is typed into a field. An action that returns false leaves the key to others. */
export function useKeys(actions: Record<string, () => unknown>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = actions[event.key];
    if (action === undefined || isTaken(event)) return;
    if (action() !== false) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}

/** Returns whether a dialog is open, which makes the page behind it inert. */
export const hasDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** Returns whether a dialog is open above another one. */
export const hasDialogAbove = (): boolean => document.querySelectorAll('dialog[open]').length > 1;

/** Focuses the search field of the page, and returns whether there is one. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('#content input[type="search"], #content search input');
  field?.focus();
  field?.select();
  return field !== null;
}

const ROWS = '#content [role="row"]:not(:has([role="columnheader"])):has(a, button)';

/** Moves the focus to the link or button of the next row of a table, or of the previous one. */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)].sort(
    (one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top,
  );
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at === -1 ? rows[step === 1 ? 0 : rows.length - 1] : rows[at + step];
  next?.querySelector<HTMLElement>('a, button:enabled')?.focus();
}
