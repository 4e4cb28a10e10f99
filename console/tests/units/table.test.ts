import { expect, test } from 'vitest';
import { fileName, nextOrder, sorted, tableCsv } from '@/lib/table';

const ROWS = [
  { name: 'b10', uses: 2, used: new Date('2026-01-02T00:00:00Z') },
  { name: 'B2', uses: 10, used: null },
  { name: 'a', uses: 10, used: new Date('2026-01-01T00:00:00Z') },
];
const names = (rows: typeof ROWS) => rows.map(({ name }) => name).join(' ');

test('texts are sorted as people read them, numbers and times by size', () => {
  expect(names(sorted(ROWS, ({ name }) => name, false))).toBe('a B2 b10');
  expect(names(sorted(ROWS, ({ uses }) => uses, false))).toBe('b10 B2 a');
  expect(names(sorted(ROWS, ({ used }) => used, false))).toBe('a b10 B2');
});

test('rows without a value come last in both directions, and equal rows keep their order', () => {
  expect(names(sorted(ROWS, ({ used }) => used, true))).toBe('b10 a B2');
  expect(names(sorted(ROWS, ({ uses }) => uses, true))).toBe('B2 a b10');
});

test('a head orders ascending, then descending, then as it was', () => {
  const first = nextOrder(null, 'Name');
  const second = nextOrder(first, 'Name');
  expect([first?.isDescending, second?.isDescending, nextOrder(second, 'Name')]).toEqual([false, true, null]);
  expect(nextOrder(second, 'Uses')).toEqual({ head: 'Uses', isDescending: false });
});

test('a file has the columns with a value, times in UTC, and no formulas', () => {
  const columns = [
    { head: 'Name', value: ({ name }: (typeof ROWS)[number]) => `=${name}` },
    { head: 'Actions' },
    { head: 'Last used', value: ({ used }: (typeof ROWS)[number]) => used },
    { head: 'Balance', value: ({ uses }: (typeof ROWS)[number]) => -uses },
  ];
  expect(tableCsv(columns, ROWS.slice(0, 2))).toBe(
    "Name,Last used,Balance\r\n'=b10,2026-01-02T00:00:00.000Z,-2\r\n'=B2,,-10\r\n",
  );
  expect(fileName('API keys')).toBe('guardengine-api-keys.csv');
});
