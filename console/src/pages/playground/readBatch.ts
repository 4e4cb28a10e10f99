import { expectation } from '@/lib/confusion';
import { parseCsv } from '@/lib/csv';
import { messages } from '@/messages/playground';

/** The maximum number of texts in a batch, below the default rate limit of the service. */
export const MAX_TEXTS = 500;

/** Reads the labeled texts of a CSV file, and its first problem. */
export function readBatch(csv: string): { rows: { text: string; expected: boolean }[]; problem: string | null } {
  const [head = [], ...body] = parseCsv(csv);
  const names = head.map((name) => name.trim().toLowerCase());
  const [textAt, labelAt] = [names.indexOf('text'), names.indexOf('label')];
  if (textAt === -1 || labelAt === -1) return { rows: [], problem: messages.batch.noColumns };
  const rows: { text: string; expected: boolean }[] = [];
  for (const [index, cells] of body.entries()) {
    const text = cells[textAt] ?? '';
    const expected = expectation(cells[labelAt] ?? '');
    if (expected === null) return { rows, problem: messages.batch.unknownLabel(index + 2, cells[labelAt] ?? '') };
    if (text.trim() !== '') rows.push({ text, expected });
  }
  return {
    rows: rows.slice(0, MAX_TEXTS),
    problem: rows.length > MAX_TEXTS ? messages.batch.tooMany(MAX_TEXTS) : null,
  };
}
