import { useMutation, useQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Toggle } from '@/ui/Field';
import { Item, Menu } from '@/ui/Menu';
import { toast } from '@/ui/toasts';
import type { LogFilters } from './filters';
import { filtersOf, sent } from './savedViews';

const text = messages.views;
type View = Schema<'ViewRecord'>;

type Props = {
  filters: LogFilters;
  columns: string[];
  onApply: (filters: LogFilters) => void;
  onColumns: (columns: string[]) => void;
};

/** The saved views of the log: own ones and shared ones. */
export function Views({ filters, columns, onApply, onColumns }: Props) {
  const [isSaving, setSaving] = useState(false);
  const [isManaging, setManaging] = useState(false);
  const views = useQuery({
    queryKey: ['views'],
    queryFn: async () => (await answer(api.GET('/api/views'))).views,
  }).data;
  const apply = (view: View) => {
    onApply(filtersOf(view.filters));
    if (view.columns.length > 0) onColumns(view.columns);
  };
  return (
    <>
      <Menu
        trigger={
          <Button>
            <Bookmark aria-hidden size={14} />
            {text.title}
          </Button>
        }
      >
        {views?.length === 0 && <p className="max-w-56 px-2 py-1.5 text-xs text-quiet">{text.none}</p>}
        {views?.map((view) => (
          <Item key={view.view_id} onSelect={() => apply(view)}>
            <span className="min-w-0 flex-1 truncate">{view.name}</span>
            {view.shared && <span className="text-xs text-quiet">{text.shared}</span>}
          </Item>
        ))}
        <Item onSelect={() => setSaving(true)}>{text.save}</Item>
        {views && views.length > 0 && <Item onSelect={() => setManaging(true)}>{text.manage}</Item>}
      </Menu>
      {isSaving && <SaveView filters={filters} columns={columns} onClose={() => setSaving(false)} />}
      {isManaging && <ManageViews views={views ?? []} onClose={() => setManaging(false)} />}
    </>
  );
}

const refresh = () => queries.invalidateQueries({ queryKey: ['views'] });

type SaveProps = { filters: LogFilters; columns: string[]; onClose: () => void };

function SaveView({ filters, columns, onClose }: SaveProps) {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () => answer(api.POST('/api/views', { body: { name, shared, filters: sent(filters), columns } })),
    onSuccess: () => {
      toast(text.saved(name));
      void refresh();
      onClose();
    },
    meta: { shown: true },
  });
  return (
    <Dialog
      title={text.save}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" busy={save.isPending} disabled={name.trim() === ''} onClick={() => save.mutate()}>
            {common.save}
          </Button>
        </>
      }
    >
      <div className="space-y-4 text-body">
        <p className="text-xs text-quiet">{text.help}</p>
        <Input label={common.name} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        <Toggle label={text.share} checked={shared} onChange={setShared} />
        {save.error && <ErrorNote error={save.error} />}
      </div>
    </Dialog>
  );
}

function ManageViews({ views, onClose }: { views: View[]; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: (view_id: string) => answer(api.DELETE('/api/views/{view_id}', { params: { path: { view_id } } })),
    onSuccess: refresh,
  });
  return (
    <Dialog title={text.manage} onClose={onClose}>
      <ul className="divide-y divide-line text-body">
        {views.map(({ view_id, name, shared }) => (
          <li key={view_id} className="flex items-center gap-2 py-1.5">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {shared && <span className="text-xs text-quiet">{text.shared}</span>}
            <Button
              small
              aria-label={text.remove(name)}
              busy={remove.isPending && remove.variables === view_id}
              onClick={() => remove.mutate(view_id)}
            >
              {common.delete}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
