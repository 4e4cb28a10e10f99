// biome-ignore-all lint/a11y/noRedundantRoles: on phones CSS changes the display of the table, which drops the roles.
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { nextOrder, type Order, sorted, tableCsv, type Value } from '@/lib/table';
import { useMedia } from '@/lib/useMedia';
import type { Selection } from '@/lib/useSelection';
import { common } from '@/messages/common';
import { classes } from './classes';
import { DownloadCsv } from './DownloadCsv';
import { Select } from './Field';
import { ScrollArea } from './ScrollArea';
import { SelectAllBox, SelectBox } from './SelectBox';
import { Ago } from './Time';

/** A column: its head, its cells, which show the value by default, and the value that is sorted and exported. */
export type Column<Row> = {
  head: string;
  cell?: (row: Row) => ReactNode;
  value?: (row: Row) => Value;
  number?: boolean;
  className?: string;
};
type Props<Row> = {
  name: string;
  columns: Column<Row>[];
  rows: Row[];
  id: (row: Row) => string;
  empty?: ReactNode;
  /** Whether the service has more entries than `rows`. */
  more?: boolean;
  /** Adds a column that selects entries; `name` identifies an entry for screen readers. */
  selection?: { of: Selection; name: (row: Row) => string };
};

/** The class of a link that covers its row. Other links and buttons of the row stay above it. */
export const ROW_LINK = classes(
  'after:absolute after:inset-0 focus-visible:outline-none',
  'focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-accent',
);

// On a phone each row is a block with the heads before its values.
const CELL = classes(
  'px-3 py-2 first:pl-4 last:pr-4',
  'max-sm:grid max-sm:grid-cols-[6rem_minmax(0,1fr)] max-sm:gap-2 max-sm:px-4 max-sm:py-0.5 max-sm:first:block',
  'max-sm:before:text-xs max-sm:before:leading-5 max-sm:before:text-quiet max-sm:before:content-[attr(data-head)]',
  'max-sm:first:before:hidden',
  // Above a link that covers the row.
  '[&_:is(a,button,summary):not(.after\\:absolute)]:relative',
);

// The actions stay in view while a wide table scrolls.
const ACTIONS = 'sm:sticky sm:right-0 sm:border-l sm:border-line sm:bg-surface';

/** A table. Wide tables scroll horizontally. Columns with a value can be sorted, and downloaded as CSV. */
export function Table<Row>({ name, columns, rows, id, empty, more = false, selection }: Props<Row>) {
  const [order, setOrder] = useState<Order | null>(null);
  // There the heads are only in front of the values, and the footer sorts.
  const isPhone = useMedia('(max-width: 639px)');
  if (rows.length === 0 && empty) return <>{empty}</>;
  const by = columns.find(({ head }) => head === order?.head)?.value;
  const shown = by && order ? sorted(rows, by, order.isDescending) : rows;
  const hasValues = columns.some(({ value }) => value);
  return (
    <div className="-mx-4 first:-mt-3 last:-mb-3">
      <ScrollArea label={name} className="relative overflow-x-auto focus-visible:outline-offset-[-2px]">
        <table role="table" className="w-full text-left text-body max-sm:block">
          <thead role="rowgroup" className="max-sm:sr-only">
            <tr role="row" className="border-b border-line bg-sunken/60 text-xs text-quiet">
              {selection && (
                <th role="columnheader" scope="col" className="w-4 py-2 pl-4">
                  <SelectAllBox count={shown.length} ids={() => shown.map(id)} selection={selection.of} />
                </th>
              )}
              {columns.map((column) => (
                <Head key={column.head} column={column} order={order} onOrder={isPhone ? null : setOrder} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-sm:block">
            {shown.map((row) => (
              <tr
                key={id(row)}
                role="row"
                className={classes(
                  'relative border-b border-line last:border-0 hover:bg-sunken/60 max-sm:block max-sm:py-2',
                  selection?.of.ids.has(id(row)) && 'bg-accent-soft',
                )}
              >
                {selection && (
                  <td role="cell" className="w-4 py-2 pl-4 max-sm:inline-block">
                    <SelectBox id={id(row)} label={selection.name(row)} selection={selection.of} />
                  </td>
                )}
                {columns.map((column) => (
                  <Cell key={column.head} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {hasValues && (
        <Footer
          name={name}
          count={rows.length}
          more={more}
          heads={isPhone ? columns.filter(({ value }) => value).map(({ head }) => head) : []}
          order={order}
          onOrder={setOrder}
          csv={() => tableCsv(columns, shown)}
        />
      )}
    </div>
  );
}

type HeadProps<Row> = { column: Column<Row>; order: Order | null; onOrder: ((order: Order | null) => void) | null };

/** The head of a column; a button if the column can be sorted. */
function Head<Row>({ column: { head, number, value }, order, onOrder }: HeadProps<Row>) {
  const isOrdered = order?.head === head;
  const Arrow = !isOrdered ? ArrowUpDown : order.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={!isOrdered ? undefined : order.isDescending ? 'descending' : 'ascending'}
      className={classes(
        'px-3 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4',
        number && 'text-right',
        head === common.actions && ACTIONS,
      )}
    >
      {value && onOrder ? (
        <button
          type="button"
          onClick={() => onOrder(nextOrder(order, head))}
          className={classes(
            'group inline-flex min-h-6 items-center gap-1 hover:text-ink',
            number && 'flex-row-reverse',
            isOrdered && 'text-ink',
          )}
        >
          {head}
          <Arrow
            aria-hidden
            size={12}
            className={classes(!isOrdered && 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60')}
          />
        </button>
      ) : (
        head
      )}
    </th>
  );
}

/** Returns what a cell without content of its own shows. */
function display(value: Value): ReactNode {
  return value instanceof Date ? <Ago at={value.toISOString()} /> : value;
}

function Cell<Row>({ column: { head, cell, value, number, className }, row }: { column: Column<Row>; row: Row }) {
  const shown = cell ? cell(row) : display(value?.(row));
  return (
    <td
      role="cell"
      data-head={head}
      className={classes(
        CELL,
        number && 'tabular sm:text-right',
        head === common.actions && ACTIONS,
        (shown === false || shown == null) && 'max-sm:hidden',
        className,
      )}
    >
      <div className="min-w-0">{shown}</div>
    </td>
  );
}

type FooterProps = {
  name: string;
  count: number;
  more: boolean;
  heads: string[];
  order: Order | null;
  onOrder: (order: Order | null) => void;
  csv: () => string;
};

/** The number of entries and the download; where `heads` are given, also the order. */
function Footer({ name, count, more, heads, order, onOrder, csv }: FooterProps) {
  const options = heads.flatMap((head) => [
    [`+${head}`, common.ascending(head)] as const,
    [`-${head}`, common.descending(head)] as const,
  ]);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-1.5 text-xs text-quiet">
      <span className="flex-1 basis-32">{more ? common.entriesLoaded(count) : common.entries(count)}</span>
      <DownloadCsv name={name} csv={csv} />
      {options.length > 0 && (
        <Select
          label={common.sortBy}
          hidden
          boxClass="basis-full"
          value={order === null ? '' : `${order.isDescending ? '-' : '+'}${order.head}`}
          options={[['', common.unsorted], ...options]}
          onChange={({ target: { value } }) =>
            onOrder(value === '' ? null : { head: value.slice(1), isDescending: value.startsWith('-') })
          }
        />
      )}
    </div>
  );
}
