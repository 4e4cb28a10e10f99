import { expect, test } from 'vitest';
import { readAll } from '@/lib/readAll';

/** Pages of three numbers up to ten. */
const read = async (cursor: string | undefined) => {
  const first = Number(cursor ?? 1);
  const rows = [first, first + 1, first + 2].filter((number) => number <= 10);
  return { rows, next: first + 3 > 10 ? null : String(first + 3) };
};

test('all pages are read in order, with progress', async () => {
  const progress: number[] = [];
  const { signal } = new AbortController();
  const rows = await readAll({ read, onProgress: (rows) => progress.push(rows), signal, most: 100 });
  expect(rows).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(progress).toEqual([3, 6, 9, 10]);
});

test('no more rows are read than allowed', async () => {
  const { signal } = new AbortController();
  let pages = 0;
  const counted = (cursor: string | undefined) => {
    pages++;
    return read(cursor);
  };
  expect(await readAll({ read: counted, onProgress: () => {}, signal, most: 5 })).toEqual([1, 2, 3, 4, 5]);
  expect(pages).toBe(2);
});

test('a canceled walk reads no further page and returns nothing', async () => {
  const stop = new AbortController();
  const progress: number[] = [];
  const onProgress = (rows: number) => {
    progress.push(rows);
    if (rows > 5) stop.abort();
  };
  await expect(readAll({ read, onProgress, signal: stop.signal, most: 100 })).rejects.toThrow('aborted');
  expect(progress).toEqual([3, 6]);
});
