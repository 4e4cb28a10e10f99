import { expect, test } from 'vitest';
import { forecast } from '@/lib/forecast';
import { durationRange } from '@/lib/format';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-01T12:00:00Z');
/** One credit every `step` milliseconds since `since` milliseconds ago. */
const steady = (since: number, step: number) =>
  Array.from({ length: Math.floor(since / step) }, (_, index) => ({ at: NOW - since + index * step, credits: 1 }));

test('steady usage gives a narrow range around the truth', () => {
  const { soonest, latest } = forecast(480, steady(DAY, HOUR / 10), NOW) ?? { soonest: 0, latest: 0 };
  expect(soonest).toBeLessThanOrEqual(48 * HOUR);
  expect(latest).toBeGreaterThanOrEqual(47 * HOUR);
  expect(latest / soonest).toBeLessThan(1.5);
});

test('a burst that empties the balance within seconds is not averaged over a day', () => {
  // 500 charges in 50 seconds are all that the ledger page holds; 290 credits are left.
  const { soonest, latest } = forecast(290, steady(50_000, 100), NOW) ?? { soonest: 0, latest: 0 };
  expect(soonest).toBeGreaterThan(15_000);
  expect(latest).toBeLessThan(60_000);
  // After quiet hours nothing certain can be said.
  expect(forecast(290, [...steady(DAY, HOUR), ...steady(50_000, 100)], NOW)).toBeNull();
});

test('a burst that is over does not predict the end', () => {
  const burst = steady(10 * HOUR, 100).slice(0, 500);
  expect(forecast(1_000, burst, NOW)).toBeNull();
});

test('a few charges are no forecast, and an empty balance is over', () => {
  expect(forecast(100, steady(DAY, DAY / 5), NOW)).toBeNull();
  expect(forecast(0, steady(DAY, HOUR), NOW)).toEqual({ soonest: 0, latest: 0 });
});

test('ranges of durations have the fitting units', () => {
  expect(durationRange(22_000, 41_000)).toBe('22 to 41 seconds');
  expect(durationRange(50 * 60_000, 3 * HOUR)).toBe('50 minutes to 3 hours');
  expect(durationRange(2 * DAY, 2.2 * DAY)).toBe('2 days');
  expect(durationRange(DAY, DAY * 1.2)).toBe('24 to 29 hours');
  expect(durationRange(400 * DAY, 900 * DAY)).toBe('more than a year');
});
