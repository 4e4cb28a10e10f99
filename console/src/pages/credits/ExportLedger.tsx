import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { count } from '@/lib/format';
import type { Range } from '@/lib/period';
import { readAll } from '@/lib/readAll';
import { save } from '@/lib/save';
import { fileName, tableCsv, type Value } from '@/lib/table';
import { common } from '@/messages/common';
import { messages } from '@/messages/credits';
import { Button } from '@/ui/Button';
import { toast, toastError } from '@/ui/toasts';

type Entry = Schema<'LedgerEntry'>;
type Props = { range: Range; columns: { head: string; value?: (entry: Entry) => Value }[] };

const PAGE = 500;
// About 20 MB of text, which a browser holds without trouble.
const MOST = 200_000;

/** Downloads every ledger entry of a period as CSV. It shows the progress and can be canceled. */
export function ExportLedger({ range, columns }: Props) {
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController | null>(null);
  // Leaving the page ends the export.
  useEffect(() => () => stop.current?.abort(), []);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (signal: AbortSignal) =>
      readAll<Entry>({ read: (cursor) => page(range, cursor, signal), onProgress: setRead, signal, most: MOST }),
    onSuccess: (entries) => {
      save(new Blob([tableCsv(columns, entries)], { type: 'text/csv' }), fileName(messages.ledger));
      toast(entries.length < MOST ? messages.exported(entries.length) : messages.exportedMost(count(MOST)));
    },
    onError: (error, signal) => {
      if (!signal.aborted) toastError(error);
    },
  });
  const start = () => {
    stop.current = new AbortController();
    setRead(0);
    run.mutate(stop.current.signal);
  };
  return (
    <>
      {run.isPending && (
        <span role="status" className="tabular text-xs text-quiet">
          {messages.exporting(read)}
        </span>
      )}
      {run.isPending ? (
        <Button small onClick={() => stop.current?.abort()}>
          {common.cancel}
          <span className="sr-only"> {messages.export}</span>
        </Button>
      ) : (
        <Button small onClick={start}>
          <Download aria-hidden size={13} />
          {messages.export}
        </Button>
      )}
    </>
  );
}

async function page(range: Range, cursor: string | undefined, signal: AbortSignal) {
  const query = { ...range, limit: PAGE, cursor };
  const { ledger, next_cursor } = await answer(api.GET('/api/credits', { params: { query }, signal }));
  return { rows: ledger, next: next_cursor ?? null };
}
