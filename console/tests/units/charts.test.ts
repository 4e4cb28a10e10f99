import { expect, test } from 'vitest';
import { topOf } from '@/charts/axis';
import { type Bin, binAt, groupsOf, rangeOver, stacked } from '@/charts/series';
import { resolved } from '@/pages/logs/filters';
import { chartOf, chartPeriod } from '@/pages/logs/LogChart';

const bin = (hour: number): Bin => ({
  from: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
  to: new Date(Date.UTC(2026, 0, 1, hour + 1)).toISOString(),
  label: '',
  description: '',
});
const BINS = [bin(0), bin(1), bin(2)];

test('series are stacked in their order', () => {
  const one = { id: 'a', name: 'A', color: 'red', values: [1, 2] };
  const layers = stacked([one, { ...one, id: 'b', values: [0, 3] }]);
  expect(layers.map(({ low, high }) => [low, high])).toEqual([
    [
      [0, 0],
      [1, 2],
    ],
    [
      [1, 2],
      [1, 5],
    ],
  ]);
  expect(stacked([])).toEqual([]);
});

test('the value axis reaches beyond every layer and line', () => {
  const layers = stacked([{ id: 'a', name: 'A', color: 'red', values: [5, 12] }]);
  const line = { id: 'low', value: 70, label: 'Alert' };
  expect(topOf(layers, [])).toBe(20);
  expect(topOf(layers, [line])).toBe(80);
  expect(topOf([], [])).toBe(6);
});

test('a time is in one bin, and a range covers its bins in either direction', () => {
  expect(binAt(BINS, Date.UTC(2026, 0, 1, 0, 59, 59))).toBe(0);
  expect(binAt(BINS, Date.UTC(2026, 0, 1, 1))).toBe(1);
  expect(binAt(BINS, Date.UTC(2030, 0, 1))).toBe(2);
  expect(rangeOver(BINS, 2, 1)).toEqual({ from: BINS[1]?.from, to: BINS[2]?.to });
  expect(rangeOver(BINS, 3, 1)).toBeNull();
});

test('series are grouped in the order of the first ones', () => {
  const one = { id: 'a', name: 'A', color: 'red', values: [] };
  const groups = groupsOf([{ ...one, group: 'x' }, one, { ...one, id: 'b', group: 'x' }]);
  expect(groups.map(({ group, series }) => [group, series.length])).toEqual([
    ['x', 2],
    ['', 1],
  ]);
});

test('a histogram has a bar for each bucket, and a series for each outcome that occurs', () => {
  const { bins, series } = chartOf(
    {
      from: '2026-01-01T00:00:30.000Z',
      to: '2026-01-01T00:03:00.000Z',
      bucket_seconds: 60,
      counted_since: null,
      buckets: [
        { from: '2026-01-01T00:00:00.000Z', by_outcome: { allowed: 2 } },
        { from: '2026-01-01T00:02:00.000Z', by_outcome: { allowed: 1, blocked: 3 } },
      ],
    },
    false,
  );
  expect(bins.map(({ from }) => from.slice(14, 19))).toEqual(['00:30', '01:00', '02:00']);
  expect(series.map(({ id, values }) => [id, values])).toEqual([
    ['blocked', [0, 0, 3]],
    ['allowed', [2, 0, 1]],
  ]);
});

test('hours of a long histogram are grouped into days of the selected zone', () => {
  const { bins, series } = chartOf(
    {
      from: '2026-03-01T23:00:00.000Z',
      to: '2026-03-31T10:00:00.000Z',
      bucket_seconds: 3600,
      counted_since: null,
      buckets: [{ from: '2026-03-29T22:00:00.000Z', by_outcome: { blocked: 2 } }],
    },
    false,
  );
  expect(bins.length).toBe(30);
  expect(series[0]?.values.indexOf(2)).toBe(28);
});

test('the chart of a short period ends now, and a long one is cut', () => {
  const now = Date.parse('2026-01-01T12:00:20Z');
  expect(chartPeriod({ from: '2026-01-01T11:45:00.000Z' }, now).to).toBe('2026-01-01T12:01:00.000Z');
  expect(chartPeriod({ from: '2025-12-25T00:00:00.000Z' }, now).to).toBeUndefined();
  expect(chartPeriod({ from: '2020-01-01T00:00:00.000Z' }, now).from).toBe('2024-11-28T12:00:20.000Z');
});

test('a relative period is sent as its start, unless times are given', () => {
  const now = new Date('2026-01-01T12:00:00Z');
  expect(resolved({ last: '1h', username: 'ann' }, now)).toEqual({ username: 'ann', from: '2026-01-01T11:00:00.000Z' });
  expect(resolved({ last: '1h', to: 'x' }, now)).toEqual({ to: 'x' });
  expect(resolved({ last: 'soon' }, now)).toEqual({});
});
