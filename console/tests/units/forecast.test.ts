import { expect, test } from 'vitest';
import { type HourOfUsage, type NewestCharges, outlook } from '@/lib/forecast';
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

/** The forecast, or null with any reason against one. */
function forecast(balance: number, ages: number[]): { soonest: number; latest: number } | null {
  const found = outlook(balance, ...reported(ages), NOW);
  return found.kind === 'lasts' ? found.range : null;
}

const kindOf = (balance: number, ages: number[]) => outlook(balance, ...reported(ages), NOW).kind;

test('steady usage gives a narrow range around the truth', () => {
  const { soonest, latest } = forecast(480, steady(DAY, HOUR / 10)) ?? { soonest: 0, latest: 0 };
  expect(soonest).toBeLessThanOrEqual(48 * HOUR);
  expect(latest).toBeGreaterThanOrEqual(47 * HOUR);
  expect(latest / soonest).toBeLessThan(1.5);
});

test('in the first hours of usage there is no forecast, however steady it is', () => {
  expect(kindOf(1_000, steady(50_000, 100))).toBe('early');
  expect(kindOf(1_000, steady(2 * HOUR, HOUR / 60))).toBe('early');
  expect(kindOf(1_000, steady(5 * HOUR, HOUR / 60))).toBe('early');
});

test('on the first day only steady usage has a forecast', () => {
  const { soonest, latest } = forecast(480, steady(8 * HOUR, HOUR / 60)) ?? { soonest: 0, latest: 0 };
  expect([soonest <= 8 * HOUR, latest >= 7.9 * HOUR, latest / soonest < 2]).toEqual([true, true, true]);
  const uneven = [...steady(10 * HOUR, HOUR), ...steady(2 * HOUR, HOUR / 20)];
  expect(kindOf(480, uneven)).toBe('early');
});

test('the same uneven usage has a forecast after a day', () => {
  const uneven = (since: number) => steady(since, HOUR / 10).filter((age) => new Date(NOW - age).getUTCHours() % 4 < 2);
  expect(kindOf(10_000, uneven(22 * HOUR))).toBe('early');
  expect(kindOf(10_000, uneven(26 * HOUR))).toBe('lasts');
});

test('after quiet hours a burst has no forecast, only its rate', () => {
  const found = outlook(290, ...reported([...steady(2 * DAY, HOUR), ...steady(50_000, 100)]), NOW);
  const { soonest, latest } = found.kind === 'unclear' ? found.current : { soonest: 0, latest: 0 };
  expect([soonest > 15_000, soonest < 29_000, latest > 29_000, latest < 60_000]).toEqual([true, true, true, true]);
});

test('a burst that is over does not predict the end', () => {
  const burst = steady(30 * HOUR, 100).slice(0, 500);
  expect(forecast(1_000, burst)).toBeNull();
});

test('a few charges are no forecast, and an empty balance is over', () => {
  expect(kindOf(100, steady(DAY, DAY / 5))).toBe('few');
  expect(kindOf(0, steady(DAY, HOUR))).toBe('over');
});

test('ranges of durations have the fitting units', () => {
  expect(durationRange(22_000, 41_000)).toBe('22 to 41 seconds');
  expect(durationRange(50 * 60_000, 3 * HOUR)).toBe('50 minutes to 3 hours');
  expect(durationRange(2 * DAY, 2.2 * DAY)).toBe('2 days');
  expect(durationRange(DAY, DAY * 1.2)).toBe('24 to 29 hours');
  expect(durationRange(400 * DAY, 900 * DAY)).toBe('more than a year');
});
