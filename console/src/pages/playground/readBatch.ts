import { expectation } from '@/lib/confusion';
import { parseCsv } from '@/lib/csv';

/** How many texts a batch may hold: the service's default rate limit, with room for other work. */
export const MOST = 500;

/** The labelled texts of a CSV, and the first thing that is wrong with it. */
export function readBatch(csv: string): { rows: { text: string; expected: boolean }[]; problem: string | null } {
  const [head = [], ...body] = parseCsv(csv);
  const names = head.map((name) => name.trim().toLowerCase());
  const [textAt, labelAt] = [names.indexOf('text'), names.indexOf('label')];
  if (textAt === -1 || labelAt === -1)
    return { rows: [], problem: 'The first line must name the columns text and label.' };
  const rows: { text: string; expected: boolean }[] = [];
  for (const [index, cells] of body.entries()) {
    const text = cells[textAt] ?? '';
    const expected = expectation(cells[labelAt] ?? '');
    if (expected === null) return { rows, problem: `Row ${index + 2}: the label “${cells[labelAt]}” is not known.` };
    if (text.trim() !== '') rows.push({ text, expected });
  }
  return { rows: rows.slice(0, MOST), problem: rows.length > MOST ? `Only the first ${MOST} rows are judged.` : null };
}
