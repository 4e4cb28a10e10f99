import { expect, test } from 'vitest';
import { conditionsOf, withConditions } from '@/pages/logs/conditions';
import { asQuery, declared, readLogFilters } from '@/pages/logs/filters';
import { misspelled, parsed, written } from '@/pages/logs/query';
import { filtersOf, sent } from '@/pages/logs/savedViews';

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

test('a keyword takes several values, and a minus leaves a value out', () => {
  const line = 'decision:block decision:mask -user:"the bot" risk:high words';
  const filters = parsed(line, same);
  expect(filters).toEqual({ risk: 'high', q: 'words', more: 'decision=block&decision=mask&not_username=the+bot' });
  expect(written(filters, same)).toBe('decision:block decision:mask risk:high -user:"the bot" words');
  expect(asQuery(filters)).toBe('risk=high&q=words&decision=block&decision=mask&not_username=the+bot');
  expect(declared(filters)).toMatchObject({ decision: ['block', 'mask'], not_username: ['the bot'], risk: 'high' });
  expect(parsed('-from:yesterday', same)).toEqual({ q: '-from:yesterday' });
});

test('a condition is turned around and removed', () => {
  const filters = { decision: 'block', username: 'ann', last: '24h' };
  const conditions = conditionsOf(filters).map((one) => ({ ...one, isNot: one.name === 'decision' }));
  const turned = withConditions(filters, conditions);
  expect(turned).toEqual({ username: 'ann', last: '24h', more: 'not_decision=block' });
  expect(withConditions(turned, [])).toEqual({ last: '24h' });
});

test('a saved view returns the same filters', () => {
  const filters = { project: 'p', triggered: true, decision: 'block', more: 'not_username=bot&risk=high&risk=medium' };
  expect(sent(filters)).toMatchObject({ not_username: ['bot'], risk: ['high', 'medium'], triggered: ['true'] });
  expect(filtersOf(sent(filters))).toEqual(filters);
});

test('a keyword that is close to a field is pointed out', () => {
  expect(misspelled('guardrial:pii')).toEqual({ keyword: 'guardrial', meant: 'guardrail' });
  expect(misspelled('words -users:ann')).toEqual({ keyword: 'users', meant: 'user' });
  for (const words of [undefined, 'plain words', 'https://example.com', 'ratio 3:2', 'invoice:4711'])
    expect(misspelled(words)).toBeNull();
});
