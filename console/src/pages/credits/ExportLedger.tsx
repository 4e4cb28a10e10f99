import { Download } from 'lucide-react';
import { answer, api, type Schema } from '@/api/client';
import { count } from '@/lib/format';
import type { Range } from '@/lib/period';
import { save } from '@/lib/save';
import { fileName, tableCsv, type Value } from '@/lib/table';
import { useListExport } from '@/lib/useListExport';
import { messages } from '@/messages/credits';
import { Button } from '@/ui/Button';
import { ExportProgress } from '@/ui/ExportProgress';
import { toast } from '@/ui/toasts';

type Entry = Schema<'LedgerEntry'>;
type Props = { range: Range; columns: { head: string; value?: (entry: Entry) => Value }[] };

const PAGE = 500;
// About 20 MB of text, which a browser holds without trouble.
const MOST = 200_000;

/** Downloads every ledger entry of a period as CSV. It shows the progress and can be canceled. */
export function ExportLedger({ range, columns }: Props) {
  const { isRunning, loaded, start, cancel } = useListExport<Entry, 'csv'>({
    load: (cursor, signal) => page(range, cursor, signal),
    most: MOST,
    onLoaded: ({ items, isCut }) => {
      save(new Blob([tableCsv(columns, items)], { type: 'text/csv' }), fileName(messages.ledger));
      toast(isCut ? messages.exportedMost(count(items.length)) : messages.exported(items.length));
    },
  });
  if (isRunning) return <ExportProgress text={messages.exporting(loaded)} name={messages.export} onCancel={cancel} />;
  return (
    <Button small onClick={() => start('csv')}>
      <Download aria-hidden size={13} />
      {messages.export}
    </Button>
  );
}

async function page(range: Range, cursor: string | undefined, signal: AbortSignal) {
  const query = { ...range, limit: PAGE, cursor };
  const { ledger, next_cursor } = await answer(api.GET('/api/credits', { params: { query }, signal }));
  return { items: ledger, next: next_cursor };
}
