import { useSyncExternalStore } from 'react';

/** Returns whether a media query matches, for changes that a stylesheet cannot make. */
export function useMedia(query: string): boolean {
  const media = window.matchMedia(query);
  const watch = (changed: () => void) => {
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  };
  return useSyncExternalStore(watch, () => media.matches);
}
