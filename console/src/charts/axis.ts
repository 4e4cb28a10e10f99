/** Rounds up to an even number with one significant digit, so that the axis has round labels at its end and middle. */
export function ceiling(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8].find((step) => step * size > value) ?? 10) * size;
}

/** Returns a time as a label of an axis: with the date, and with the time of day if the axis is short. */
export const timeLabel = (at: number | string, hasTimes: boolean): string =>
  new Date(at).toLocaleString(
    undefined,
    hasTimes
      ? { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { month: 'short', day: 'numeric' },
  );
