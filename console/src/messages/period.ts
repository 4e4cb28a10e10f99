import { counted } from './common';
import { translated } from './translated';

const UNITS: Record<string, string> = { m: 'minute', h: 'hour', d: 'day' };

/** Texts of the period picker. */
const english = {
  label: 'Period',
  shown: (period: string, zone: string) => `Period: ${period}, times in ${zone}`,
  title: 'Select a period',
  relative: 'Up to now',
  absolute: 'From one time to another',
  last: (number: number, unit: string) => `Last ${counted(number, UNITS[unit] ?? 'day')}`,
  between: (from: string, to: string) => `${from} to ${to}`,
  since: (from: string) => `Since ${from}`,
  until: (to: string) => `Until ${to}`,
  all: 'Any time',
  from: 'From',
  to: 'To',
  order: 'The end must be after the start.',
  apply: 'Apply',
  zone: 'Time zone',
  local: (zone: string) => `Local: ${zone}`,
  utc: 'UTC',
} as const;

export const messages = translated('period', english);
