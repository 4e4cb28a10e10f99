import { expect, test } from 'vitest';
import { kindOf, type Replayed } from '@/pages/policies/replay/changes';

const entry = (decision: string, new_decision: string, more: Partial<Replayed> = {}): Replayed => ({
  log_id: '0',
  created_at: '2026-01-01T00:00:00Z',
  decision,
  new_decision,
  previous_guardrails: [],
  triggered_guardrails: [],
  changed: decision !== new_decision,
  masked: false,
  ...more,
});

test('changed requests are grouped by the kind of change', () => {
  const toxicity = { name: 'toxicity', confidence: 0.9, action: 'block' as const };
  expect([
    kindOf(entry('allow', 'block')),
    kindOf(entry('mask', 'escalate')),
    kindOf(entry('challenge', 'allow')),
    kindOf(entry('block', 'challenge')),
    kindOf(entry('allow', 'mask')),
    kindOf(entry('block', 'block', { previous_guardrails: ['spam'], triggered_guardrails: [toxicity] })),
    kindOf(entry('block', 'block', { previous_guardrails: ['toxicity'], triggered_guardrails: [toxicity] })),
  ]).toEqual(['blocked', 'blocked', 'allowed', 'decided', 'decided', 'guardrails', null]);
});

test('texts that were masked are apart, and only with another decision', () => {
  expect(kindOf(entry('allow', 'block', { masked: true }))).toBe('masked');
  expect(kindOf(entry('mask', 'mask', { masked: true, previous_guardrails: ['pii'] }))).toBeNull();
});
