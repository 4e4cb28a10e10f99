import type { ReactNode } from 'react';
import { classes } from './classes';

/** A column: its head, what a row shows there, and whether it is a number. */
export type Column<Row> = { head: string; cell: (row: Row) => ReactNode; number?: boolean; className?: string };

/** Rows under named columns; wide ones scroll sideways inside their box. */
export function Table<Row>({ name, columns, rows, id, empty }: { name: string; columns: Column<Row>[]; rows: Row[]; id: (row: Row) => string; empty?: ReactNode }) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div className="relative -mx-4 overflow-x-auto first:-mt-3 last:-mb-3 focus-visible:outline-offset-[-2px]" role="region" aria-label={name} tabIndex={0}>
      <table className="w-full text-left text-[13px]">
        <thead>
          <tr className="border-y border-line bg-sunken/60 text-xs text-quiet">
            {columns.map(({ head, number }) => (
              <th key={head} scope="col" className={classes('px-3 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4', number && 'text-right')}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)} className="border-b border-line last:border-0 hover:bg-sunken/60">
              {columns.map(({ head, cell, number, className }) => (
                <td key={head} className={classes('px-3 py-2 first:pl-4 last:pr-4', number && 'tabular text-right', className)}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
