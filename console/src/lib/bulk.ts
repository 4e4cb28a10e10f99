import { describeError } from '@/api/error';
import { pool } from './pool';

/** The result of an action on several items: how many succeeded, and why the others failed. */
export type BulkResult<Item> = { done: Item[]; failed: { item: Item; reason: string }[] };

// Few enough that the rate limits of a single user are not reached at once.
const WIDTH = 4;

/** Runs an action on every item, four at a time. An item that fails does not stop the others. */
export async function runAll<Item>(
  items: Item[],
  action: (item: Item) => Promise<unknown>,
  signal: AbortSignal = new AbortController().signal,
): Promise<BulkResult<Item>> {
  const result: BulkResult<Item> = { done: [], failed: [] };
  await pool(items, WIDTH, signal, async (item) => {
    try {
      await action(item);
      result.done.push(item);
    } catch (error) {
      result.failed.push({ item, reason: describeError(error).detail });
    }
  });
  return result;
}
