// biome-ignore-all lint/a11y/noRedundantRoles: on phones CSS changes the display of the table, which drops the roles.
import type { ReactNode } from 'react';
import { classes } from './classes';
import { ScrollArea } from './ScrollArea';

/** A column: its head, its cells, and whether they are numbers. */
export type Column<Row> = { head: string; cell: (row: Row) => ReactNode; number?: boolean; className?: string };
type Props<Row> = { name: string; columns: Column<Row>[]; rows: Row[]; id: (row: Row) => string; empty?: ReactNode };

// On a phone each row is a block with the heads before its values.
const CELL = classes(
  'px-3 py-2 first:pl-4 last:pr-4',
  'max-sm:grid max-sm:grid-cols-[6rem_minmax(0,1fr)] max-sm:gap-2 max-sm:px-4 max-sm:py-0.5 max-sm:first:block',
  'max-sm:before:text-xs max-sm:before:leading-5 max-sm:before:text-quiet max-sm:before:content-[attr(data-head)]',
  'max-sm:first:before:hidden',
);

/** A table. Wide tables scroll horizontally. */
export function Table<Row>({ name, columns, rows, id, empty }: Props<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <ScrollArea
      label={name}
      className="relative -mx-4 overflow-x-auto first:-mt-3 last:-mb-3 focus-visible:outline-offset-[-2px]"
    >
      <table role="table" className="w-full text-left text-body max-sm:block">
        <thead role="rowgroup" className="max-sm:sr-only">
          <tr role="row" className="border-b border-line bg-sunken/60 text-xs text-quiet">
            {columns.map(({ head, number }) => (
              <th
                key={head}
                role="columnheader"
                scope="col"
                className={classes(
                  'px-3 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4',
                  number && 'text-right',
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={id(row)}
              role="row"
              className="border-b border-line last:border-0 hover:bg-sunken/60 max-sm:block max-sm:py-2"
            >
              {columns.map(({ head, cell, number, className }) => {
                const shown = cell(row);
                return (
                  <td
                    key={head}
                    role="cell"
                    data-head={head}
                    className={classes(
                      CELL,
                      number && 'tabular sm:text-right',
                      (shown === false || shown == null) && 'max-sm:hidden',
                      className,
                    )}
                  >
                    <div className="min-w-0">{shown}</div>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
