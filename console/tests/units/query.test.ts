import { expect, test } from 'vitest';
import { readLogFilters } from '@/pages/logs/filters';
import { parsed, written } from '@/pages/logs/query';

const same = (value: string) => value;

test('parsing a written line returns the same filters', () => {
  const filters = {
    project: 'Support chat',
    decision: 'block',
    username: 'ann smith',
    from: '2026-01-01T10:00:00.000Z',
    q: 'wire the money',
  };
  const line = written(filters, same);
  expect(line).toBe('project:"Support chat" decision:block user:"ann smith" from:"2026-01-01 11:00" wire the money');
  expect(parsed(line, same)).toEqual(filters);
});

test('projects are written by name and requested by id', () => {
  expect(parsed('project:chat', (name) => (name === 'chat' ? 'id-1' : name))).toEqual({ project: 'id-1' });
  expect(written({ project: 'id-1' }, () => 'chat')).toBe('project:chat');
});

test('feedback is a filter, also under its API name', () => {
  const filters = { outcome: 'would_block', mark: 'false_positive' };
  expect(parsed('outcome:would_block feedback:false_positive', same)).toEqual(filters);
  expect(parsed('outcome:would_block mark:false_positive', same)).toEqual(filters);
  expect(written(filters, same)).toBe('outcome:would_block feedback:false_positive');
});

test('other words are searched in the text', () => {
  expect(parsed('http://evil.example is here', same)).toEqual({ q: 'http://evil.example is here' });
  expect(parsed('note:this risk:high', same)).toEqual({ q: 'note:this', risk: 'high' });
});

test('only filters are read from the address', () => {
  expect(readLogFilters({ decision: 'block', evil: 'x', q: '', from: 5 })).toEqual({ decision: 'block', from: '5' });
});

test('whether anything triggered is a boolean, as addresses write it without quotation marks', () => {
  expect(parsed('triggered:true', same)).toEqual({ triggered: true });
  expect(written({ triggered: false }, same)).toBe('triggered:false');
  expect(readLogFilters({ triggered: false })).toEqual({ triggered: false });
  expect(parsed('triggered:maybe', same)).toEqual({ triggered: 'maybe' });
});
