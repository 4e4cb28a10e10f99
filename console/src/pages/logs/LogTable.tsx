// biome-ignore-all lint/a11y/useSemanticElements: rows have absolute positions, which table elements do not support.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads of a static table are not interactive.
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useRef } from 'react';
import { moment } from '@/lib/format';
import type { Selection } from '@/lib/useSelection';
import { messages } from '@/messages/logs';
import { classes } from '@/ui/classes';
import { SelectAllBox, SelectBox } from '@/ui/SelectBox';
import { ROW_LINK } from '@/ui/Table';
import { COLUMNS, type LogColumn } from './columns';
import { ResizeHandle } from './ResizeHandle';
import type { LogEntry } from './useTail';
import { trackOf, type Widths } from './widths';

type Props = {
  entries: LogEntry[];
  columns: LogColumn[];
  widths: Widths;
  onWidths: (widths: Widths) => void;
  isNarrow: boolean;
  current: string | undefined;
  selection: Selection;
  more: boolean;
  loading: boolean;
  onEnd: () => void;
  onTop: (isTop: boolean) => void;
};

const HEIGHT = 36;
const NARROW_HEIGHT = 60;
// On a narrow screen an entry has two lines: time and decision, then the text.
const NARROW = ['time', 'decision', 'triggered', 'text'];

/** The table of log entries. Only visible entries are rendered, so that 100,000 scroll as smoothly as ten. */
export function LogTable(props: Props) {
  const { entries, columns: picked, widths, isNarrow, current, selection, more, loading, onEnd, onTop } = props;
  const box = useRef<HTMLDivElement>(null);
  const height = isNarrow ? NARROW_HEIGHT : HEIGHT;
  const columns = isNarrow ? COLUMNS.filter(({ id }) => NARROW.includes(id)) : picked;
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => entries[index]?.log_id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && !loading && last >= entries.length - 40) onEnd();
  }, [more, loading, last, entries.length, onEnd]);
  const grid = {
    gridTemplateColumns: isNarrow
      ? '10.25rem 7rem minmax(0, 1fr)'
      : columns.map((column) => trackOf(column, widths)).join(' '),
  };
  return (
    <div
      ref={box}
      role="table"
      aria-label={messages.table}
      aria-rowcount={more ? -1 : entries.length + 1}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll the table by focusing it (WCAG 2.1.1).
      tabIndex={0}
      onScroll={(event) => onTop(event.currentTarget.scrollTop < height)}
      className="max-h-dvh min-h-0 flex-1 overflow-auto text-body focus-visible:outline-offset-[-2px]"
    >
      <Head {...props} columns={columns} grid={grid} />
      <div role="rowgroup" className="relative w-fit min-w-full" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const entry = entries[index];
          return (
            entry && (
              <Row
                key={key}
                entry={entry}
                columns={columns}
                index={index}
                isNarrow={isNarrow}
                isCurrent={entry.log_id === current}
                selection={selection}
                style={{ ...grid, height, transform: `translateY(${start}px)` }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

type HeadProps = Pick<Props, 'entries' | 'columns' | 'widths' | 'onWidths' | 'isNarrow' | 'selection'>;

/** The heads of the columns, which change the widths, and the checkbox that selects all entries. */
function Head({ entries, columns, widths, onWidths, isNarrow, selection, grid }: HeadProps & { grid: CSSProperties }) {
  return (
    <div
      role="rowgroup"
      className={isNarrow ? 'sr-only' : 'sticky top-0 z-10 w-fit min-w-full border-b border-line bg-surface'}
    >
      <div role="row" className="grid gap-3 px-4 py-1.5 text-xs font-medium text-quiet" style={grid}>
        {columns.map(({ id, label, number }, at) => (
          <span key={id} role="columnheader" className={classes('relative', number && 'text-right')}>
            {at === 0 && (
              <span className="mr-2">
                <SelectAllBox
                  count={entries.length}
                  ids={() => entries.map(({ log_id }) => log_id)}
                  selection={selection}
                />
              </span>
            )}
            {label}
            {!isNarrow && (
              <ResizeHandle
                label={label}
                width={widths[id] ?? null}
                onResize={(width) => onWidths({ ...widths, [id]: width })}
              />
            )}
          </span>
        ))}
      </div>
    </div>
  );
}

type RowProps = {
  entry: LogEntry;
  columns: LogColumn[];
  index: number;
  isNarrow: boolean;
  isCurrent: boolean;
  selection: Selection;
  style: CSSProperties;
};

function Row({ entry, columns, index, isNarrow, isCurrent, selection, style }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes(
        'absolute inset-x-0 grid content-center items-center gap-x-3 gap-y-1 border-b border-line px-4 hover:bg-sunken',
        (isCurrent || selection.ids.has(entry.log_id)) && 'bg-accent-soft',
      )}
      style={style}
    >
      {columns.map(({ id, number, cell }, at) => (
        <span
          key={id}
          role="cell"
          className={classes('truncate', number && 'tabular text-right', isNarrow && id === 'text' && 'col-span-full')}
        >
          {at === 0 ? (
            <span className="flex items-center gap-2">
              <SelectBox id={entry.log_id} label={moment(entry.created_at)} selection={selection} />
              <EntryLink entry={entry}>{cell(entry)}</EntryLink>
            </span>
          ) : (
            cell(entry)
          )}
        </span>
      ))}
    </div>
  );
}

/** A link that covers its row. */
function EntryLink({ entry, children }: { entry: LogEntry; children: React.ReactNode }) {
  return (
    <Link from="/logs" search={(old) => ({ ...old, entry: entry.log_id })} replace className={ROW_LINK}>
      {children}
    </Link>
  );
}
