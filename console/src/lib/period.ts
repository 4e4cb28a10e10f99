import { messages } from '@/messages/period';
import { shortTime } from './format';
import { partsOf, startOfDay } from './zone';

/** A part of time: from the first instant up to, but not including, the last, as the API writes them. */
export type Range = { from: string; to: string };

/** A selected period, as addresses have it: relative to now (`15m`, `24h`, `7d`), or from one instant to another. */
export type Period = { last?: string; from?: string; to?: string };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY };

/** Relative periods of pages that count by hour, and of those that list single entries. */
export const HOURLY_PERIODS = ['6h', '24h', '7d', '30d', '90d'];
export const ENTRY_PERIODS = ['15m', '1h', '6h', '24h', '7d', '30d', '90d'];

/** Hours per bar, and how many bars are readable on wide and on narrow screens. */
const BINS = [1, 3, 6, 24, 72, 240];
const MOST_BARS = 31;
const MOST_NARROW_BARS = 14;

/** Reads `15m`, `24h` or `7d`; null for anything else. */
export function relative(last: string | undefined): { number: number; unit: string } | null {
  const found = /^([1-9]\d{0,3})([mhd])$/.exec(last ?? '');
  return found ? { number: Number(found[1]), unit: found[2] as string } : null;
}

/** Returns the start of a relative period that ends at `end`. Two days or more are whole days, today included. */
export function startOf(last: string | undefined, end: Date): Date | null {
  const length = relative(last);
  if (length === null) return null;
  const { number, unit } = length;
  if (unit === 'd' && number > 1) return startOfDay(end, number - 1);
  return new Date(end.getTime() - number * (UNITS[unit] ?? DAY));
}

/**
 * Returns the times of a period of a page that counts by hour; without one, the last 24 hours. A relative period ends
 * with the current hour: hourly counts exist already, and addresses stay the same for an hour.
 */
export function hourlyRange({ last, from, to }: Period, now = new Date()): Range {
  const end = new Date((Math.floor(now.getTime() / HOUR) + 1) * HOUR);
  // Whole days count back from now: the current hour may end tomorrow.
  const days = relative(last)?.unit === 'd' ? now : end;
  const start = startOf(last, days) ?? new Date(end.getTime() - DAY);
  return { from: from ?? start.toISOString(), to: to ?? end.toISOString() };
}

/** Describes a period: `Last 7 days`, or its times. `none` describes that there is none. */
export function describePeriod({ last, from, to }: Period, none: string): string {
  const length = relative(last);
  if (length) return messages.last(length.number, length.unit);
  if (from && to) return messages.between(shortTime(from), shortTime(to));
  if (from) return messages.since(shortTime(from));
  return to ? messages.until(shortTime(to)) : none;
}

/** Returns the hours per bar that a period is readable with. */
export function binOf({ from, to }: Range, isNarrow: boolean): number {
  const hours = (Date.parse(to) - Date.parse(from)) / HOUR;
  const most = isNarrow ? MOST_NARROW_BARS : MOST_BARS;
  return BINS.find((bin) => hours / bin <= most) ?? (BINS.at(-1) as number);
}

/** Returns the start of every hour (UTC) of a range. */
export function hoursOf({ from, to }: Range): { hour: string }[] {
  const first = Math.floor(Date.parse(from) / HOUR) * HOUR;
  const number = Math.ceil((Date.parse(to) - first) / HOUR);
  return Array.from({ length: number }, (_, index) => ({ hour: new Date(first + index * HOUR).toISOString() }));
}

/** Groups the hours of a range into bars of `bin` hours that begin with days of the selected zone. */
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
    const day = Math.round((startOfDay(at).getTime() - first.getTime()) / DAY);
    const key =
      bin < 24 ? `${day} ${Math.floor(partsOf(at).hour / bin)}` : String(Math.floor(Math.max(0, day) / (bin / 24)));
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const bars = [...groups.values()];
  const startOfBar = (bar: Hour[] | undefined) => bar?.[0]?.hour;
  return bars.map((bar, index) => ({
    // The hour of the start may begin before the range, in zones that are not whole hours away from UTC.
    from: index === 0 ? range.from : (startOfBar(bar) ?? range.from),
    to: startOfBar(bars[index + 1]) ?? range.to,
    hours: bar,
  }));
}
