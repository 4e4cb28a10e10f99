import { afterEach, expect, test } from 'vitest';
import { forField, readLocal, writeLocal, zone } from '@/lib/localTime';
import { binOf, describePeriod, grouped, hourlyRange, hoursOf, relative, startOf } from '@/lib/period';
import { chooseUtc } from '@/lib/zone';

afterEach(() => chooseUtc(false));

test('days begin at local midnight, also where clocks change', () => {
  const now = new Date('2026-03-30T10:20:00Z');
  expect(hourlyRange({ last: '7d' }, now)).toEqual({
    from: '2026-03-23T23:00:00.000Z',
    to: '2026-03-30T11:00:00.000Z',
  });
  expect(hourlyRange({}, now)).toEqual({ from: '2026-03-29T11:00:00.000Z', to: '2026-03-30T11:00:00.000Z' });
  expect(hourlyRange({ last: '6h' }, now).from).toBe('2026-03-30T05:00:00.000Z');
  const absolute = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
  expect(hourlyRange(absolute, now)).toEqual(absolute);
});

test('in UTC, days begin at midnight in UTC', () => {
  chooseUtc(true);
  expect(hourlyRange({ last: '7d' }, new Date('2026-03-30T22:20:00Z')).from).toBe('2026-03-24T00:00:00.000Z');
  expect(zone()).toBe('UTC');
  expect(writeLocal('2026-01-31T13:05:00Z')).toBe('2026-01-31 13:05');
  expect(readLocal('2026-01-31 13:05')).toBe('2026-01-31T13:05:00.000Z');
  expect(readLocal('2026-01-31T14:05:00+05:30')).toBe('2026-01-31T08:35:00.000Z');
  expect(forField(new Date('2026-01-31T13:05:00Z'))).toBe('2026-01-31T13:05');
});

test('relative periods are read, and nothing else is', () => {
  expect(relative('15m')).toEqual({ number: 15, unit: 'm' });
  for (const text of [undefined, '', '0h', '7', 'd', '12345h', '1w', '-1h']) expect(relative(text)).toBeNull();
  const now = new Date('2026-03-30T10:20:00Z');
  expect(startOf('15m', now)?.toISOString()).toBe('2026-03-30T10:05:00.000Z');
  expect(startOf('1d', now)?.toISOString()).toBe('2026-03-29T10:20:00.000Z');
  expect(startOf('2d', now)?.toISOString()).toBe('2026-03-28T23:00:00.000Z');
});

test('a period is described by its length or its times', () => {
  expect(describePeriod({ last: '15m' }, 'Any')).toBe('Last 15 minutes');
  expect(describePeriod({ last: '1h' }, 'Any')).toBe('Last 1 hour');
  expect(describePeriod({}, 'Any')).toBe('Any');
  expect(describePeriod({ from: '2026-01-31T13:05:00Z' }, 'Any')).toMatch(/^Since .*14:05/);
});

test('bars are local days, and cover the period without gaps', () => {
  const range = hourlyRange({ last: '7d' }, new Date('2026-03-30T10:20:00Z'));
  const bars = grouped(hoursOf(range), 24, range);
  expect(bars.map(({ hours }) => hours.length)).toEqual([24, 24, 24, 24, 24, 23, 13]);
  expect(bars.map(({ from }) => new Date(from).getHours())).toEqual([0, 0, 0, 0, 0, 0, 0]);
  for (const size of [1, 3, 6, 24, 72, 240]) {
    const some = grouped(hoursOf(range), size, range);
    expect([some[0]?.from, some.at(-1)?.to]).toEqual([range.from, range.to]);
    expect(some.slice(1).every(({ from }, index) => from === some[index]?.to)).toBe(true);
  }
});

test('a period has as many bars as are readable', () => {
  const now = new Date('2026-05-20T10:20:00Z');
  const bins = ['24h', '7d', '30d', '90d'].map((last) => hourlyRange({ last }, now));
  expect(bins.map((range) => binOf(range, false))).toEqual([1, 6, 24, 72]);
  expect(bins.map((range) => binOf(range, true))).toEqual([3, 24, 72, 240]);
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
