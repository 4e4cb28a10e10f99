import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { send } from '@/api/client';
import { toApiError } from '@/api/error';
import { at } from '@/lib/base';
import { save } from '@/lib/save';
import { messages } from '@/messages/logs';
import { Button } from '@/ui/Button';
import { Item, Menu } from '@/ui/Menu';
import { toast } from '@/ui/toasts';
import { asQuery, type LogFilters } from './filters';

/** Exports every entry that matches the filters, not only the loaded ones. */
export function Export({ filters }: { filters: LogFilters }) {
  const run = useMutation({
    mutationFn: async (format: 'csv' | 'jsonl' | 'labelled') => {
      const response = await send(new Request(at(`/api/logs/export?${asQuery(filters)}&format=${format}`)));
      if (!response.ok) throw toApiError(response, await response.json().catch(() => null));
      save(await response.blob(), format === 'labelled' ? 'guardengine-feedback.jsonl' : `guardengine-logs.${format}`);
    },
    onSuccess: () => toast(messages.export.done),
  });
  return (
    <Menu
      trigger={
        <Button busy={run.isPending}>
          <Download aria-hidden size={14} />
          {messages.export.button}
        </Button>
      }
    >
      <Item onSelect={() => run.mutate('csv')}>{messages.export.csv}</Item>
      <Item onSelect={() => run.mutate('jsonl')}>{messages.export.jsonl}</Item>
      <Item onSelect={() => run.mutate('labelled')}>{messages.export.labeled}</Item>
    </Menu>
  );
}
