import { expect, test } from 'vitest';
import { allPages } from '@/lib/allPages';
import { runAll } from '@/lib/bulk';
import { toggled } from '@/lib/useSelection';

const pagesOf =
  (pages: number[][]) =>
  async (cursor = '0') => ({
    items: pages[Number(cursor)] ?? [],
    next: Number(cursor) + 1 < pages.length ? String(Number(cursor) + 1) : null,
  });

test('every page of a list is loaded, with its progress, up to a limit', async () => {
  const progress: number[] = [];
  const load = pagesOf([[1, 2], [3, 4], [5]]);
  const whole = await allPages(load, 100, new AbortController().signal, (items) => progress.push(items));
  expect(whole).toEqual({ items: [1, 2, 3, 4, 5], isCut: false });
  expect(progress).toEqual([2, 4, 5]);
  expect(await allPages(load, 3, new AbortController().signal)).toEqual({ items: [1, 2, 3, 4], isCut: true });
});

test('loading stops between pages when it is canceled', async () => {
  const stop = new AbortController();
  const loading = allPages(pagesOf([[1], [2]]), 100, stop.signal, () => stop.abort());
  await expect(loading).rejects.toThrow();
});

test('an action runs for every item, at most four at a time, and failures say why', async () => {
  let [running, most] = [0, 0];
  const result = await runAll([1, 2, 3, 4, 5, 6, 7], async (item) => {
    running++;
    most = Math.max(most, running);
    await new Promise((done) => setTimeout(done, 5));
    running--;
    if (item === 3) throw new Error('already decided');
  });
  expect(most).toBe(4);
  expect(result.done.toSorted()).toEqual([1, 2, 4, 5, 6, 7]);
  expect(result.failed).toEqual([{ item: 3, reason: 'already decided' }]);
});

test('a range is selected and deselected from the entry that was changed last', () => {
  const order = ['a', 'b', 'c', 'd'];
  expect([...toggled(new Set(['a']), order, 'c', 'a')]).toEqual(['a', 'b', 'c']);
  expect([...toggled(new Set(['a', 'b', 'c', 'd']), order, 'b', 'd')]).toEqual(['a']);
  expect([...toggled(new Set(), order, 'b', null)]).toEqual(['b']);
  // The entry that was changed last may have left the list.
  expect([...toggled(new Set(), order, 'b', 'gone')]).toEqual(['b']);
});
