import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from './Button';
import { type Column, Table } from './Table';

/** A row that changes and removes its item. */
export type EditableRow<T> = { item: T; at: number; set: (change: Partial<T>) => void; remove: () => void };

/** Returns a row for each item. */
export const editableRows = <T,>(items: T[], onChange: (items: T[]) => void): EditableRow<T>[] =>
  items.map((item, at) => ({
    item,
    at,
    set: (change) => onChange(items.map((old, index) => (index === at ? { ...old, ...change } : old))),
    remove: () => onChange(items.filter((_, index) => index !== at)),
  }));

type Texts = {
  summary: (rows: number) => string;
  table: string;
  add: string;
  removal: string;
  remove: (number: number) => string;
};
type Props<R> = {
  text: Texts;
  columns: Column<R>[];
  rows: R[];
  mayAdd?: boolean;
  onAdd: () => void;
  children: ReactNode;
};

/** A list of objects that unfolds: a row for each, which can be removed, and a button that adds one. */
export function EditableTable<R extends { at: number; remove: () => void }>(props: Props<R>) {
  const { text, rows, mayAdd = true, onAdd, children } = props;
  const removal: Column<R> = {
    head: text.removal,
    cell: ({ at, remove }) => (
      <IconButton label={text.remove(at + 1)} onClick={remove}>
        <Trash2 size={14} />
      </IconButton>
    ),
  };
  return (
    <details open={rows.length > 0}>
      <summary className="text-xs font-medium text-quiet">{text.summary(rows.length)}</summary>
      <div className="mt-3 space-y-3">
        {rows.length > 0 && (
          <Table name={text.table} rows={rows} id={({ at }) => String(at)} columns={[...props.columns, removal]} />
        )}
        <Button small disabled={!mayAdd} onClick={onAdd}>
          <Plus aria-hidden size={13} />
          {text.add}
        </Button>
        {children}
      </div>
    </details>
  );
}
