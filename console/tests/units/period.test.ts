import { expect, test } from 'vitest';
import { readLocal, writeLocal, zone } from '@/lib/localTime';
import { grouped, hoursOf, PERIODS, periodOf, rangeOf } from '@/pages/dashboard/period';

test('days begin at local midnight, also where clocks change', () => {
  const now = new Date('2026-03-30T10:20:00Z');
  expect(rangeOf(periodOf(7), now)).toEqual({ from: '2026-03-23T23:00:00.000Z', to: '2026-03-30T11:00:00.000Z' });
  expect(rangeOf(periodOf(undefined), now)).toEqual({
    from: '2026-03-29T11:00:00.000Z',
    to: '2026-03-30T11:00:00.000Z',
  });
});

test('bars are local days, and cover the period without gaps', () => {
  const range = rangeOf(periodOf(7), new Date('2026-03-30T10:20:00Z'));
  const bars = grouped(hoursOf(range), 24, range);
  expect(bars.map(({ hours }) => hours.length)).toEqual([24, 24, 24, 24, 24, 23, 13]);
  expect(bars.map(({ from }) => new Date(from).getHours())).toEqual([0, 0, 0, 0, 0, 0, 0]);
  for (const { bin, narrowBin } of PERIODS)
    for (const size of [bin, narrowBin]) {
      const some = grouped(hoursOf(range), size, range);
      expect([some[0]?.from, some.at(-1)?.to]).toEqual([range.from, range.to]);
      expect(some.slice(1).every(({ from }, index) => from === some[index]?.to)).toBe(true);
    }
});

test('times are written and read in local time', () => {
  expect(writeLocal('2026-01-31T13:05:00Z')).toBe('2026-01-31 14:05');
  expect(writeLocal('2026-07-31T13:05:09.250Z')).toBe('2026-07-31 15:05:09.250');
  expect(readLocal('2026-01-31 14:05')).toBe('2026-01-31T13:05:00.000Z');
  expect(readLocal('2026-01-31')).toBe('2026-01-30T23:00:00.000Z');
  expect(readLocal('2026-01-31T14:05:00+05:30')).toBe('2026-01-31T08:35:00.000Z');
  expect(readLocal('yesterday')).toBe('yesterday');
  // The second 02:30 of this night has no local name of its own.
  expect(writeLocal('2026-10-25T00:30:00.000Z')).toBe('2026-10-25 02:30');
  expect(writeLocal('2026-10-25T01:30:00.000Z')).toBe('2026-10-25T01:30:00.000Z');
  expect(zone(new Date('2026-01-31T00:00:00Z'))).toBe('Europe/Berlin (GMT+1)');
});
