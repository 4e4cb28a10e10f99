/** A page of a list: its items, and the cursor of the next page if there is one. */
export type ListPage<Item> = { items: Item[]; next: string | null | undefined };

/** Items of a list, and whether the list has more of them than were loaded. */
export type AllItems<Item> = { items: Item[]; isCut: boolean };

/**
 * Loads all pages of a list, one after the other, but at most about `most` items. `onProgress` gets the number of loaded
 * items. `signal` stops it between pages with its reason as the error.
 */
export async function allPages<Item>(
  load: (cursor: string | undefined) => Promise<ListPage<Item>>,
  most: number,
  signal: AbortSignal,
  onProgress: (items: number) => void = () => {},
): Promise<AllItems<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await load(cursor);
    items.push(...page.items);
    onProgress(items.length);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && items.length < most);
  signal.throwIfAborted();
  return { items, isCut: cursor !== undefined };
}
