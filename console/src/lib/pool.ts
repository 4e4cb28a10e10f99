/** Runs `work` for every item, at most `width` at a time. `signal` stops it between items. */
export async function pool<Item>(
  items: Item[],
  width: number,
  signal: AbortSignal,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length && !signal.aborted) {
      const index = next++;
      await work(items[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
}
