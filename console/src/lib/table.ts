import { writeCsv } from './csv';
import { locale } from './language';

/** What a cell is sorted by and exported as. */
export type Value = string | number | boolean | Date | null | undefined;

/** The order of a table: the column, by its head, and the direction. */
export type Order = { head: string; isDescending: boolean };

/** Orders texts as the language does, and numbers within them by value. */
export const collator = new Intl.Collator(locale, { numeric: true });

/** Sorts rows by a value, those without one last. Equal ones keep their order. */
export function sorted<Row>(rows: Row[], value: (row: Row) => Value, isDescending: boolean): Row[] {
  const isMissing = (one: Value) => one === null || one === undefined || one === '';
  return rows
    .map((row) => [row, value(row)] as const)
    .sort(([, one], [, other]) => {
      if (isMissing(one) || isMissing(other)) return Number(isMissing(one)) - Number(isMissing(other));
      return isDescending ? compare(other, one) : compare(one, other);
    })
    .map(([row]) => row);
}

const compare = (one: Value, other: Value): number =>
  typeof one === 'string' && typeof other === 'string' ? collator.compare(one, other) : Number(one) - Number(other);

/** The next order when a head is selected: ascending, then descending, then as it was. */
export function nextOrder(order: Order | null, head: string): Order | null {
  if (order?.head !== head) return { head, isDescending: false };
  return order.isDescending ? null : { head, isDescending: true };
}

/** Writes the columns that have a value as comma-separated values, with times in UTC. */
export function tableCsv<Row>(columns: { head: string; value?: (row: Row) => Value }[], rows: Row[]): string {
  const exported = columns.flatMap(({ head, value }) => (value ? [{ head, value }] : []));
  const cell = (value: Value): string | number => {
    if (value instanceof Date) return value.toISOString();
    return typeof value === 'number' ? value : String(value ?? '');
  };
  return writeCsv([
    exported.map(({ head }) => head),
    ...rows.map((row) => exported.map(({ value }) => cell(value(row)))),
  ]);
}

/** The file name for a table: `guardengine-api-keys.csv`. */
export const fileName = (table: string): string =>
  `guardengine-${table
    .toLowerCase()
    .replaceAll('ß', 'ss')
    // Letters lose their accents.
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')}.csv`;
