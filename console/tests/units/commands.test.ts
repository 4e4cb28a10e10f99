import { expect, test } from 'vitest';
import { type Command, matching } from '@/layout/commands';

const command = (label: string, type: string, also?: string): Command => ({
  id: label + type,
  label,
  type,
  also,
  run: () => {},
});
const ALL = [
  command('Live logs', 'Page'),
  command('Support desk', 'Policy', '019f-1'),
  command('Desk lamp', 'Project logs', '019f-2'),
];
const labels = (sought: string) => matching(ALL, sought).map(({ label }) => label);

test('every word is found in the name, the type or the identifier', () => {
  expect(labels('policy desk')).toEqual(['Support desk']);
  expect(labels('019F-2')).toEqual(['Desk lamp']);
  expect(labels('desk page')).toEqual([]);
  expect(labels(' ')).toHaveLength(3);
});

test('names that begin with what was typed come first', () => {
  expect(labels('desk')).toEqual(['Desk lamp', 'Support desk']);
});

test('at most fifty are listed', () => {
  const many = Array.from({ length: 500 }, (_, index) => command(`user ${index}`, 'User'));
  expect(matching(many, 'user')).toHaveLength(50);
});
