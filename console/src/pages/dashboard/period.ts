import { messages } from '@/messages/dashboard';

/** A part of time: from the first instant up to, but not including, the last, as the API writes them. */
export type Range = { from: string; to: string };

/**
 * A period that ends now. It has whole local calendar days, today included, or 24 hours if `days` is null. `bin` and
 * `narrowBin` are the hours per bar on wide and on narrow screens.
 */
export type Period = { days: number | null; bin: number; narrowBin: number; label: string };

const HOUR = 3_600_000;

/** The selectable periods. */
export const PERIODS: Period[] = [
  { days: null, bin: 1, narrowBin: 3, label: messages.periods.day },
  { days: 7, bin: 6, narrowBin: 24, label: messages.periods.week },
  { days: 30, bin: 24, narrowBin: 72, label: messages.periods.month },
  { days: 90, bin: 72, narrowBin: 240, label: messages.periods.quarter },
];

/** Returns the period of that many days, or the shortest one. */
export const periodOf = (days: number | undefined): Period =>
  PERIODS.find((one) => one.days === days) ?? (PERIODS[0] as Period);

/** Returns the start of the local day, `days` days before that of `now`. */
export function startOfDay(now: Date, days = 0): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}

/**
 * Returns the times of a period. It ends with the current hour: hourly counts exist already, and addresses stay the
 * same for an hour.
 */
export function rangeOf({ days }: Period, now = new Date()): Range {
  const end = (Math.floor(now.getTime() / HOUR) + 1) * HOUR;
  const start = days === null ? end - 24 * HOUR : startOfDay(now, days - 1).getTime();
  return { from: new Date(start).toISOString(), to: new Date(end).toISOString() };
}

/** Returns the start of every hour (UTC) of a range. */
export function hoursOf({ from, to }: Range): { hour: string }[] {
  const first = Math.floor(Date.parse(from) / HOUR) * HOUR;
  const number = Math.ceil((Date.parse(to) - first) / HOUR);
  return Array.from({ length: number }, (_, index) => ({ hour: new Date(first + index * HOUR).toISOString() }));
}

/** Groups the hours of a range into bars of `bin` hours that begin with local days. */
export function grouped<Hour extends { hour: string }>(
  hours: Hour[],
  bin: number,
  range: Range,
): (Range & { hours: Hour[] })[] {
  const first = startOfDay(new Date(range.from));
  const groups = new Map<string, Hour[]>();
  for (const one of hours) {
    const at = new Date(one.hour);
    // Days have 23 to 25 hours, so they are counted by date.
    const day = Math.round((startOfDay(at).getTime() - first.getTime()) / (24 * HOUR));
    const key =
      bin < 24 ? `${day} ${Math.floor(at.getHours() / bin)}` : String(Math.floor(Math.max(0, day) / (bin / 24)));
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const bars = [...groups.values()];
  const startOf = (bar: Hour[] | undefined) => bar?.[0]?.hour;
  return bars.map((bar, index) => ({
    // The hour of the start may begin before the range, in zones that are not whole hours away from UTC.
    from: index === 0 ? range.from : (startOf(bar) ?? range.from),
    to: startOf(bars[index + 1]) ?? range.to,
    hours: bar,
  }));
}
