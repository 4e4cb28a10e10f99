import { expect, test } from 'vitest';
import { excerpt, inStoredText, pieces } from '@/lib/spans';

const mark = (name: string, start: number, end: number) => ({ name, span: { start, end } });

test('marks count code points, also after characters of two UTF-16 units', () => {
  expect(pieces('🙂🙂 abc', [mark('toxicity', 3, 6)])).toEqual([
    { text: '🙂🙂 ', marks: [] },
    { text: 'abc', marks: ['toxicity'] },
  ]);
});

test('overlapping marks share their middle', () => {
  const cut = pieces('abcdef', [mark('pii', 0, 4), mark('spam', 2, 6)]);
  expect(cut.map(({ text, marks }) => [text, marks.join('+')])).toEqual([
    ['ab', 'pii'],
    ['cd', 'pii+spam'],
    ['ef', 'spam'],
  ]);
});

test('the pieces add up to the text, wherever the marks are', () => {
  for (const [start, end] of [
    [0, 0],
    [2, 2],
    [5, 99],
    [0, 6],
    [9, 12],
  ] as const) {
    expect(
      pieces('abcdef', [mark('spam', start, end)])
        .map(({ text }) => text)
        .join(''),
    ).toBe('abcdef');
  }
});

test('marks move with the text after masked personal data', () => {
  // sent: "mail a@b.de, you idiot"
  const moved = inStoredText('mail [EMAIL_REDACTED], you idiot', [mark('pii', 5, 11), mark('toxicity', 13, 22)]);
  expect(moved.complete).toBe(true);
  const shown = pieces('mail [EMAIL_REDACTED], you idiot', moved.marks).filter(({ marks }) => marks.length > 0);
  expect(shown.map(({ text }) => text)).toEqual(['[EMAIL_REDACTED]', 'you idiot']);
});

test('marks without a certain position are omitted', () => {
  const moved = inStoredText('idiot, mail [EMAIL_REDACTED], idiot', [mark('toxicity', 0, 5), mark('toxicity', 20, 25)]);
  expect(moved).toEqual({ marks: [mark('toxicity', 0, 5)], complete: false });
});

test('a typed marker does not count as a masked finding', () => {
  const moved = inStoredText('[EMAIL_REDACTED] and [EMAIL_REDACTED]', [mark('pii', 21, 27)]);
  expect(moved.complete).toBe(false);
});

test('an excerpt shows the text around the first mark', () => {
  const text = `${'a'.repeat(200)}attack${'b'.repeat(200)}`;
  const { text: shown, marks } = excerpt(text, [{ name: 'toxicity', span: { start: 200, end: 206 } }], 100);
  expect([...shown]).toHaveLength(102);
  expect(pieces(shown, marks).find(({ marks: names }) => names.length > 0)?.text).toBe('attack');
  expect(excerpt('short', [])).toEqual({ text: 'short', marks: [] });
});
