import { useState } from 'react';
import type { LogColumn } from './columns';

/** Widths of columns in pixels that the user set, by column. */
export type Widths = Record<string, number>;

const KEY = 'guardengine.logs.widths';
const LEAST = 48;
const MOST = 1_200;

/** Limits a width, so that no column disappears. */
export const limited = (width: number): number => Math.round(Math.min(Math.max(width, LEAST), MOST));

/** Returns the grid track of a column: its set width, or else its own one. */
export const trackOf = ({ id, track }: LogColumn, widths: Widths): string =>
  widths[id] === undefined ? track : `${widths[id]}px`;

/** Returns the widths set in this browser. */
function savedWidths(): Widths {
  const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
  if (typeof kept !== 'object' || kept === null) return {};
  const widths = Object.entries(kept).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return Object.fromEntries(widths.map(([id, width]) => [id, limited(width)]));
}

/** The widths set in this browser, and a function that sets them. */
export function useWidths(): [Widths, (widths: Widths) => void] {
  const [widths, setWidths] = useState(savedWidths);
  const set = (changed: Widths) => {
    setWidths(changed);
    localStorage.setItem(KEY, JSON.stringify(changed));
  };
  return [widths, set];
}
