import { ApiError, describeError } from '@/api/error';
import { pool } from './pool';

/** The result of an action on several items: those that succeeded, and why the others failed. */
export type BulkResult<Item> = { done: Item[]; failed: { item: Item; reason: string }[] };

/** The most items of one action, fewer than the rate limits allow in a minute. */
export const MOST_AT_ONCE = 500;

const WIDTH = 4;
const TOO_MANY_REQUESTS = 429;
const MOST_RETRIES = 2;

/** Runs an action on every item, four at a time. An item that fails does not stop the others. */
export async function runAll<Item>(
  items: Item[],
  action: (item: Item) => Promise<unknown>,
  signal: AbortSignal = new AbortController().signal,
): Promise<BulkResult<Item>> {
  const result: BulkResult<Item> = { done: [], failed: [] };
  await pool(items, WIDTH, signal, async (item) => {
    try {
      await patiently(() => action(item));
      result.done.push(item);
    } catch (error) {
      result.failed.push({ item, reason: describeError(error).detail });
    }
  });
  return result;
}

/** Runs an action again after the time that a rate limit names. */
async function patiently(action: () => Promise<unknown>, retries = MOST_RETRIES): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    const wait = error instanceof ApiError && error.status === TOO_MANY_REQUESTS ? error.retryAfter : null;
    if (wait === null || retries === 0) throw error;
    await new Promise((done) => setTimeout(done, wait * 1000));
    return patiently(action, retries - 1);
  }
}
