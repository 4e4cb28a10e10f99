import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { allPages } from '@/lib/allPages';
import { writeCsv } from '@/lib/csv';
import { save } from '@/lib/save';
import { messages } from '@/messages/audit';
import { common } from '@/messages/common';
import { Button } from '@/ui/Button';
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
  const [loaded, setLoaded] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (format: Format) => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      setLoaded(0);
      const load = async (cursor: string | undefined) => {
        const { entries, next_cursor } = await loadAudit(filters, PAGE, cursor, signal);
        return { items: entries, next: next_cursor };
      };
      const { items, isCut } = await allPages(load, MOST_ENTRIES, signal, setLoaded);
      save(written(items, format), `guardengine-audit.${format}`);
      toast(isCut ? text.cut(items.length) : text.done(items.length));
    },
    onError: (error) =>
      toast(stop.current.signal.aborted ? text.canceled : error.message, !stop.current.signal.aborted),
  });
  if (run.isPending)
    return (
      <span role="status" className="inline-flex items-center gap-2 text-xs text-quiet">
        {text.progress(loaded)}
        <Button small onClick={() => stop.current.abort()}>
          {common.cancel}
        </Button>
      </span>
    );
  return (
    <Menu
      trigger={
        <Button>
          <Download aria-hidden size={14} />
          {text.button}
        </Button>
      }
    >
      <Item onSelect={() => run.mutate('csv')}>{text.csv}</Item>
      <Item onSelect={() => run.mutate('json')}>{text.json}</Item>
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
