import { hourAndMinute, shortTime } from '@/lib/format';
import { locale } from '@/lib/language';
import { partsOf, timeZone } from '@/lib/zone';
import type { Layer, Line } from './series';

/** Rounds up to an even number with one significant digit, so that the axis has round labels at its end and middle. */
export function ceiling(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((step) => step * size > value) ?? 10) * size;
}

/** Returns a time as a label of an axis: with the date, and with the time of day if the axis is short. */
export const timeLabel = (at: number | string, hasTimes: boolean): string =>
  hasTimes
    ? shortTime(at)
    : new Date(at).toLocaleDateString(locale, { month: 'short', day: 'numeric', timeZone: timeZone() });

/** Returns the label of a mark on a time axis: the time of day, and the date where a day begins. */
export function axisLabel(at: number, hasTimes: boolean, isFirst: boolean): string {
  const { hour, minute, second } = partsOf(new Date(at));
  const isDay = hour + minute + second === 0;
  return hasTimes && !isDay && !isFirst ? hourAndMinute(at) : timeLabel(at, hasTimes && !isDay);
}

/** The upper end of the value axis: a round number that no layer and no line exceeds. */
export const topOf = (layers: Layer[], lines: Line[]): number =>
  ceiling(Math.max(4, ...layers.flatMap(({ high }) => high), ...lines.map(({ value }) => value)));
