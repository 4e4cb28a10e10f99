import { translated } from './translated';

/** Texts of charts. */
const english = {
  keys: 'Arrow keys move, Enter selects.',
  zoomKeys: 'Arrow keys move, Enter selects. With Shift, arrow keys select a range, and Enter zooms in.',
  range: (from: string, to: string) => `${from} to ${to}. Enter zooms in.`,
  table: 'Show as table',
  chart: 'Show as chart',
  tableOf: (chart: string) => `${chart}, as a table`,
  time: 'Time',
  markers: 'A policy changed',
} as const;

export const messages = translated('charts', english);
