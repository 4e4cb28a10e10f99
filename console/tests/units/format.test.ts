import { expect, test } from 'vitest';
import { bytes, duration } from '@/lib/format';

test('sizes have the largest unit of which there is one', () => {
  expect([0, 999, 1_000, 12_345_678, 5e15].map(bytes)).toEqual(['0 byte', '999 byte', '1 kB', '12.3 MB', '5,000 TB']);
});

test('durations have their two largest units', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  expect([0, 5_000, 61_000, hour, day + 2 * hour + minute].map(duration)).toEqual([
    '0 seconds',
    '5 seconds',
    '1 minute 1 second',
    '1 hour',
    '1 day 2 hours',
  ]);
});
