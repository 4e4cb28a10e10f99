/** A page of a list and the cursor of the next one, null on the last page. */
export type PageOf<Row> = { rows: Row[]; next: string | null };

type Options<Row> = {
  read: (cursor: string | undefined) => Promise<PageOf<Row>>;
  /** Is called with the number of rows read so far. */
  onProgress: (rows: number) => void;
  signal: AbortSignal;
  /** The most rows to read. */
  most: number;
};

/** Reads the pages of a list one after the other. Throws the signal's reason once it is aborted. */
export async function readAll<Row>({ read, onProgress, signal, most }: Options<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await read(cursor);
    signal.throwIfAborted();
    rows.push(...page.rows.slice(0, most - rows.length));
    onProgress(rows.length);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && rows.length < most);
  return rows;
}
