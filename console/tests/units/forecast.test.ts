import { expect, test } from 'vitest';
import { atRate, forecast, type HourOfUsage, type NewestCharges } from '@/lib/forecast';
import { durationRange } from '@/lib/format';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-03-01T12:00:00Z');

/** What the service reports of charges of one credit at these ages in milliseconds. */
function reported(ages: number[]): [HourOfUsage[], NewestCharges] {
  const hours = new Map<number, number>();
  for (const age of ages) {
    const at = Math.floor((NOW - age) / HOUR) * HOUR;
    hours.set(at, (hours.get(at) ?? 0) + 1);
  }
  const newest = ages.toSorted((a, b) => a - b).slice(0, 100);
  return [
    [...hours].map(([at, credits]) => ({ at, credits })),
    { charges: newest.length, credits: newest.length, since: NOW - Math.max(...newest) },
  ];
}

/** Ages of one charge every `step` milliseconds over `since` milliseconds. */
const steady = (since: number, step: number) =>
  Array.from({ length: Math.floor(since / step) }, (_, index) => since - index * step);

test('steady usage gives a narrow range around the truth', () => {
  const { soonest, latest } = forecast(480, ...reported(steady(DAY, HOUR / 10)), NOW) ?? { soonest: 0, latest: 0 };
  expect(soonest).toBeLessThanOrEqual(48 * HOUR);
  expect(latest).toBeGreaterThanOrEqual(47 * HOUR);
  expect(latest / soonest).toBeLessThan(1.5);
});

test('a burst that empties the balance within seconds is not averaged over the hour', () => {
  const { soonest, latest } = forecast(290, ...reported(steady(50_000, 100)), NOW) ?? { soonest: 0, latest: 0 };
  expect(soonest).toBeGreaterThan(15_000);
  expect(latest).toBeLessThan(60_000);
});

test('after quiet hours a burst has no forecast, only its rate', () => {
  const [hours, newest] = reported([...steady(DAY, HOUR), ...steady(50_000, 100)]);
  expect(forecast(290, hours, newest, NOW)).toBeNull();
  const { soonest, latest } = atRate(290, newest, NOW) ?? { soonest: 0, latest: 0 };
  expect([soonest < 29_000, latest > 29_000, latest < 60_000]).toEqual([true, true, true]);
});

test('a burst that is over does not predict the end', () => {
  const burst = steady(10 * HOUR, 100).slice(0, 500);
  expect(forecast(1_000, ...reported(burst), NOW)).toBeNull();
});

test('a few charges are no forecast, and an empty balance is over', () => {
  expect(forecast(100, ...reported(steady(DAY, DAY / 5)), NOW)).toBeNull();
  expect(forecast(0, ...reported(steady(DAY, HOUR)), NOW)).toEqual({ soonest: 0, latest: 0 });
});

test('ranges of durations have the fitting units', () => {
  expect(durationRange(22_000, 41_000)).toBe('22 to 41 seconds');
  expect(durationRange(50 * 60_000, 3 * HOUR)).toBe('50 minutes to 3 hours');
  expect(durationRange(2 * DAY, 2.2 * DAY)).toBe('2 days');
  expect(durationRange(DAY, DAY * 1.2)).toBe('24 to 29 hours');
  expect(durationRange(400 * DAY, 900 * DAY)).toBe('more than a year');
});
