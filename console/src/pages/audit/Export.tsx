import { Download } from 'lucide-react';
import { writeCsv } from '@/lib/csv';
import { save } from '@/lib/save';
import { useListExport } from '@/lib/useListExport';
import { messages } from '@/messages/audit';
import { Button } from '@/ui/Button';
import { ExportProgress } from '@/ui/ExportProgress';
import { Item, Menu } from '@/ui/Menu';
import { toast } from '@/ui/toasts';
import { type AuditEntry, type AuditFilters, loadAudit } from './data';

const text = messages.export;

// More would not fit into the memory of every browser.
const MOST_ENTRIES = 100_000;
const PAGE = 500;

type Format = 'csv' | 'json';

/** Exports every entry that matches the filters, not only the loaded ones. Shows the progress, and can be canceled. */
export function Export({ filters }: { filters: AuditFilters }) {
  const { isRunning, loaded, start, cancel } = useListExport<AuditEntry, Format>({
    load: async (cursor, signal) => {
      const { entries, next_cursor } = await loadAudit(filters, PAGE, cursor, signal);
      return { items: entries, next: next_cursor };
    },
    most: MOST_ENTRIES,
    onLoaded: ({ items, isCut }, format) => {
      save(written(items, format), `guardengine-audit.${format}`);
      toast(isCut ? text.cut(items.length) : text.done(items.length));
    },
  });
  if (isRunning) return <ExportProgress text={text.progress(loaded)} name={text.button} onCancel={cancel} />;
  return (
    <Menu
      trigger={
        <Button>
          <Download aria-hidden size={14} />
          {text.button}
        </Button>
      }
    >
      <Item onSelect={() => start('csv')}>{text.csv}</Item>
      <Item onSelect={() => start('json')}>{text.json}</Item>
    </Menu>
  );
}

const FIELDS = [
  'sequence',
  'created_at',
  'principal',
  'address',
  'action',
  'target',
  'details',
  'hash',
  'previous_hash',
] as const;

function written(entries: AuditEntry[], format: Format): Blob {
  if (format === 'json') return new Blob([JSON.stringify(entries, null, 2)], { type: 'application/json' });
  const cell = (value: unknown) =>
    typeof value === 'number' ? value : typeof value === 'string' ? value : JSON.stringify(value);
  const rows = entries.map((entry) => FIELDS.map((field) => cell(entry[field])));
  return new Blob([writeCsv([[...FIELDS], ...rows])], { type: 'text/csv' });
}
