import { expect, test } from 'vitest';
import { confusion, expectation } from '@/lib/confusion';
import { parseCsv, writeCsv } from '@/lib/csv';
import { readBatch } from '@/pages/playground/readBatch';

test('cells may contain commas, quotes and line breaks', () => {
  expect(parseCsv('text,label\r\n"a, ""b""\nc",block\r\n\r\nd,allow')).toEqual([
    ['text', 'label'],
    ['a, "b"\nc', 'block'],
    ['d', 'allow'],
  ]);
});

test('written values are read back, and formulas are escaped', () => {
  expect(parseCsv(writeCsv([['a "quote", and\nmore', 7]]))).toEqual([['a "quote", and\nmore', '7']]);
  expect(writeCsv([['=1+1']])).toBe("'=1+1\r\n");
});

test('a batch needs the columns text and label, and known labels', () => {
  expect(readBatch('prompt,label\nx,1').problem).toContain('text and label');
  expect(readBatch('text,label\nx,perhaps').problem).toContain('Line 2');
  expect(readBatch('label,text\n1,attack\nbenign,hello')).toEqual({
    rows: [
      { text: 'attack', expected: true },
      { text: 'hello', expected: false },
    ],
    problem: null,
  });
});

test('labels of common data sets are recognized', () => {
  expect([' BLOCK ', 'jailbreak', '1'].map(expectation)).toEqual([true, true, true]);
  expect(['benign', '0', 'Safe'].map(expectation)).toEqual([false, false, false]);
});

test('rates are computed from the four cases, and are null without any', () => {
  const row = (expected: boolean, stopped: boolean) => ({ text: '', expected, stopped });
  const counted = confusion([
    row(true, true),
    row(true, true),
    row(true, true),
    row(true, false),
    row(false, true),
    row(false, false),
  ]);
  expect(counted).toEqual({
    stoppedRightly: 3,
    stoppedWrongly: 1,
    missed: 1,
    passedRightly: 1,
    recall: 0.75,
    precision: 0.75,
    falsePositiveRate: 0.5,
  });
  expect(confusion([]).recall).toBeNull();
});
