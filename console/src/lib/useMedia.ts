import { useSyncExternalStore } from 'react';

/** Whether a media query holds, for what a stylesheet alone cannot change. */
export function useMedia(query: string): boolean {
  const media = window.matchMedia(query);
  const watch = (changed: () => void) => {
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  };
  return useSyncExternalStore(watch, () => media.matches);
}
