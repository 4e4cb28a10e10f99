import { common, wireLabels } from '@/messages/common';
import { descriptions } from '@/messages/descriptions';
import { language, locale } from './language';
import { partsOf, timeZone } from './zone';

/** Returns a whole number with thousands separators: `1,234`. */
export const count = (value: number): string => value.toLocaleString(locale);

/** Returns a large number in short form: `12.3k`. */
export const short = (value: number): string =>
  Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

/** Returns a duration in whole milliseconds: `12 ms`. */
export const milliseconds = (ms: number): string => (ms < 1 ? '< 1 ms' : `${count(ms)} ms`);

/** Returns a fraction as a percentage: `12.3%`. */
export const percent = (share: number, digits = 1): string =>
  Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);

/** Returns a number with a fixed number of decimals: `0.85`. */
export const decimal = (value: number, digits = 2): string =>
  Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** Returns a date and time in the selected time zone. */
export const moment = (iso: string): string =>
  new Date(iso).toLocaleString(locale, {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZone(),
  });

/** Returns a date and time, without the year if it is the current one. */
export function shortMoment(iso: string, now = new Date()): string {
  const then = new Date(iso);
  const year = partsOf(then).year === partsOf(now).year ? undefined : 'numeric';
  return then.toLocaleString(locale, {
    year,
    // Only English names of months are as short as their numbers.
    month: language === 'en' ? 'short' : '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZone(),
  });
}

/** Returns the time of day in the selected time zone: `14:05:09`. */
export const clock = (at: number): string =>
  new Date(at).toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZone(),
  });

/** Returns a date in the selected time zone. */
export const day = (iso: string): string =>
  new Date(iso).toLocaleDateString(locale, {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    timeZone: timeZone(),
  });

/** Returns the time of day without seconds: `14:05`. */
export const hourAndMinute = (at: number): string =>
  new Date(at).toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZone(),
  });

/** Returns a date and the time of day without seconds: `Jan 31, 14:05`. */
export const shortTime = (at: number | string): string =>
  new Date(at).toLocaleString(locale, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZone(),
  });

/** Returns a number of bytes in the largest unit of which there is one: `12.3 MB`. */
export function bytes(size: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const power = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), units.length - 1);
  const unit = units[power] as string;
  return Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(size / 1000 ** power);
}

/** Returns a duration in its two largest units: `2 days 3 hours`. */
export function duration(ms: number): string {
  const all = [...UNITS].reverse().map(([unit, size], index, units) => {
    const larger = units[index - 1]?.[1] ?? Infinity;
    return [unit, Math.floor((ms % larger) / size)] as const;
  });
  const first = all.findIndex(([, number]) => number > 0);
  const shown = first === -1 ? all.slice(-1) : all.slice(first, first + 2).filter(([, number]) => number > 0);
  return shown
    .map(([unit, number]) => Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(number))
    .join(' ');
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Returns a time relative to now: `3 minutes ago`. */
export function since(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? (['second', 1] as const);
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

const UNITS: [string, number][] = [
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
];

/** Returns a range of durations in milliseconds: `2 to 4 days`, `50 minutes to 3 hours`. */
export function durationRange(least: number, most: number): string {
  if (least > 365 * 86_400_000) return common.overAYear;
  // The largest unit of which there are at least two.
  const unitOf = (ms: number) => UNITS.findLast(([, size]) => ms >= 2 * size) ?? (UNITS[0] as [string, number]);
  const low = unitOf(least);
  const high = most / low[1] < 100 ? low : unitOf(most);
  const [from, to] = [Math.round(least / low[1]), Math.round(most / high[1])];
  const named = (value: number, [unit]: [string, number]) =>
    Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  if (low !== high) return common.range(named(from, low), named(to, high));
  return from === to ? named(to, high) : common.range(count(from), named(to, high));
}

/** Returns the description of a guardrail or permission, which the API has in English. */
export const described = (name: string, english: string): string => descriptions[name] ?? english;

/** Returns words as they are within a sentence. German nouns have capitals everywhere. */
export const inSentence = (text: string): string => (language === 'de' ? text : text.toLowerCase());

/** Returns a wire name as words: `prompt_injection` becomes `Prompt injection`. */
export function words(wire: string): string {
  const label = wireLabels[wire] ?? wireLabels[wire.toLowerCase()];
  if (label !== undefined) return label;
  const text = wire.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the name of a field of the API as words: `policyName` becomes `Name`, `max_prompt_length` `Max prompt length`. */
export const fieldWords = (name: string): string =>
  wireLabels[name] ??
  words(
    name
      .replace(/^policy/, '')
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replace(/^pii_/, ''),
  );
