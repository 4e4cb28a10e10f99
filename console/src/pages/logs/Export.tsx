import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { send } from '@/api/client';
import { refused } from '@/api/error';
import { save } from '@/lib/save';
import { Button } from '@/ui/Button';
import { Item, Menu } from '@/ui/Menu';
import { toast } from '@/ui/toasts';
import { asQuery, type LogFilters } from './filters';

/** Saves every row that passes the filters, not only those that are loaded. */
export function Export({ filters }: { filters: LogFilters }) {
  const run = useMutation({
    mutationFn: async (format: 'csv' | 'jsonl' | 'labelled') => {
      const response = await send(new Request(`/api/logs/export?${asQuery(filters)}&format=${format}`));
      if (!response.ok) throw refused(response, await response.json().catch(() => null));
      save(await response.blob(), format === 'labelled' ? 'guardengine-marked.jsonl' : `guardengine-logs.${format}`);
    },
    onSuccess: () => toast('The export is saved; it stands in the audit trail.'),
  });
  return (
    <Menu
      trigger={
        <Button busy={run.isPending}>
          <Download aria-hidden size={14} />
          Export
        </Button>
      }
    >
      <Item onSelect={() => run.mutate('csv')}>CSV, for spreadsheets</Item>
      <Item onSelect={() => run.mutate('jsonl')}>JSON lines, for programs</Item>
      <Item onSelect={() => run.mutate('labelled')}>Marked rows as labelled texts, for guardengine eval</Item>
    </Menu>
  );
}
