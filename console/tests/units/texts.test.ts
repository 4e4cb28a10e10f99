import { expect, test } from 'vitest';
import { parse } from '@/api/stream';
import { decoded } from '@/lib/decode';
import { shownEvidence } from '@/lib/evidence';
import { since, words } from '@/lib/format';

test('an event has an id, a name and all lines of its data', () => {
  expect(parse('id: 7\nevent: log\ndata: {"a":\ndata: 1}')).toEqual({ id: '7', name: 'log', data: '{"a":\n1}' });
  expect(parse(': still here').data).toBe('');
});

test('text is decoded with the encodings that the evidence names', () => {
  expect(decoded('SGFsbMO2', 'sets instructions aside behind base64')).toBe('Hallö');
  expect(decoded('5548', 'x behind hex')).toBe('UH');
  expect(decoded('SGFsbMO2', 'sets instructions aside')).toBeNull();
  expect(decoded('no base64 at all!', 'x behind base64')).toBeNull();
});

test('times are relative to now, and wire names become words', () => {
  expect(since('2026-01-01T00:00:00Z', Date.parse('2026-01-01T02:00:00Z'))).toBe('2 hours ago');
  expect(since('2026-01-03T00:00:00Z', Date.parse('2026-01-01T00:00:00Z'))).toBe('in 2 days');
  expect([words('prompt_injection'), words('pii')]).toEqual(['Prompt injection', 'Personal data']);
});

test('evidence reads as a sentence begins, and says what hid the match', () => {
  expect(shownEvidence('sets instructions aside')).toBe('Sets instructions aside');
  expect(shownEvidence('sets instructions aside behind base64, hex')).toBe(
    'Sets instructions aside, hidden in base64, hex',
  );
});
