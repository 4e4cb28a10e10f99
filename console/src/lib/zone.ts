import { useSyncExternalStore } from 'react';

const KEY = 'guardengine.zone';

// True if times are shown in UTC rather than in the zone of the browser.
let utc = typeof localStorage !== 'undefined' && localStorage.getItem(KEY) === 'utc';
const watchers = new Set<() => void>();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns whether times are shown in UTC. */
export const isUtc = (): boolean => utc;
export const useIsUtc = (): boolean => useSyncExternalStore(watch, isUtc);

/** Selects UTC or the zone of the browser, in this browser. */
export function chooseUtc(chosen: boolean): void {
  utc = chosen;
  if (typeof localStorage !== 'undefined') localStorage.setItem(KEY, chosen ? 'utc' : 'local');
  for (const watcher of [...watchers]) watcher();
}

/** The zone for `Intl`; undefined for that of the browser. */
export const timeZone = (): string | undefined => (utc ? 'UTC' : undefined);

/** A date and time of day in the selected zone. */
export type Parts = { year: number; month: number; day: number; hour: number; minute: number; second: number };

/** Returns the parts of an instant in the selected zone; `month` begins with 0. */
export const partsOf = (at: Date): Parts =>
  utc
    ? {
        year: at.getUTCFullYear(),
        month: at.getUTCMonth(),
        day: at.getUTCDate(),
        hour: at.getUTCHours(),
        minute: at.getUTCMinutes(),
        second: at.getUTCSeconds(),
      }
    : {
        year: at.getFullYear(),
        month: at.getMonth(),
        day: at.getDate(),
        hour: at.getHours(),
        minute: at.getMinutes(),
        second: at.getSeconds(),
      };

/** Returns the start of the day in the selected zone, `days` days before that of `now`. */
export function startOfDay(now: Date, days = 0): Date {
  const { year, month, day } = partsOf(now);
  return utc ? new Date(Date.UTC(year, month, day - days)) : new Date(year, month, day - days);
}
