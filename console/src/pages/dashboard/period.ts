import { messages } from '@/messages/dashboard';

/** A period that ends now, and the hours per bar on wide and on narrow screens. */
export type Period = { hours: number; bin: number; narrowBin: number; label: string; from: () => string };

const HOUR = 3_600_000;

const period = (hours: number, bin: number, narrowBin: number, label: string): Period => ({
  hours,
  bin,
  narrowBin,
  label,
  // Start at a whole hour: hourly counts exist already, and the address stays the same for an hour.
  from: () => new Date((Math.floor(Date.now() / HOUR) + 1 - hours) * HOUR).toISOString(),
});

/** The selectable periods. */
export const PERIODS = [
  period(24, 1, 2, messages.periods.day),
  period(168, 6, 24, messages.periods.week),
  period(720, 24, 72, messages.periods.month),
  period(2160, 72, 240, messages.periods.quarter),
];

/** Returns the period of that many hours, or the shortest one. */
export const periodOf = (hours: number | undefined): Period =>
  PERIODS.find((one) => one.hours === hours) ?? (PERIODS[0] as Period);
