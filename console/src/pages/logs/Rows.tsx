import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { classes } from '@/ui/classes';
import type { LogColumn } from './columns';
import type { Row } from './useTail';

type Props = { rows: Row[]; columns: LogColumn[]; current: string | undefined; more: boolean; loading: boolean; onEnd: () => void; onTop: (isTop: boolean) => void };

const HEIGHT = 36;

/** The rows, of which only those on the screen are in the page, so that a hundred thousand scroll like ten. */
export function Rows({ rows, columns, current, more, loading, onEnd, onTop }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => box.current, estimateSize: () => HEIGHT, overscan: 12, getItemKey: (index) => rows[index]?.log_id ?? index });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && !loading && last >= rows.length - 40) onEnd();
  }, [more, loading, last, rows.length, onEnd]);
  const grid = { gridTemplateColumns: columns.map(({ track }) => track).join(' ') };
  return (
    <div
      ref={box}
      role="table"
      aria-label="Log rows"
      aria-rowcount={more ? -1 : rows.length + 1}
      tabIndex={0}
      onScroll={(event) => onTop(event.currentTarget.scrollTop < HEIGHT)}
      className="min-h-0 flex-1 overflow-auto text-[13px] focus-visible:outline-offset-[-2px]"
    >
      <div role="rowgroup" className="sticky top-0 z-10 w-fit min-w-full border-b border-line bg-surface">
        <div role="row" className="grid gap-3 px-4 py-1.5 text-xs font-medium text-quiet" style={grid}>
          {columns.map(({ id, label }) => <span key={id} role="columnheader">{label}</span>)}
        </div>
      </div>
      <div role="rowgroup" className="relative w-fit min-w-full" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          return row && (
            <div key={key} role="row" aria-rowindex={index + 2} className={classes('absolute inset-x-0 grid items-center gap-3 border-b border-line px-4 hover:bg-sunken', row.log_id === current && 'bg-accent-soft')} style={{ ...grid, height: HEIGHT, transform: `translateY(${start}px)` }}>
              {columns.map(({ id, cell }, at) => (
                <span key={id} role="cell" className="truncate">
                  {at === 0
                    ? <Link from="/logs" search={(old) => ({ ...old, row: row.log_id })} replace className="after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-[-2px] focus-visible:after:outline-accent">{cell(row)}</Link>
                    : cell(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
