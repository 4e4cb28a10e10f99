import { type RefObject, useEffect, useRef } from 'react';

/** Returns a reference for a form, whose first wrong field gets the focus after each error. */
export function useFocusFirstError(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [error]);
  return form;
}
