import { expect, test } from 'vitest';
import { changes } from '@/lib/diff';
import { measuredAt, type Policy, sent } from '@/lib/policy';

const POLICY: Policy = {
  policyName: 'Desk',
  policyDescription: '',
  policyMode: 'unified',
  max_prompt_length: 10_000,
  allowed_keywords: [],
  blocked_keywords: ['aurora'],
  compliance_region: null,
  compliance_frameworks: [],
  guardrails: [{ guardrail: 'pii', description: '', threshold: 0.5, enabled: true, action: 'Block', ticket: null }],
};

test('the same policy has no changes, whatever the order of its guardrails', () => {
  expect(changes(POLICY, structuredClone(POLICY))).toEqual([]);
  const two = { ...POLICY, guardrails: [...POLICY.guardrails, { ...POLICY.guardrails[0]!, guardrail: 'spam' }] };
  expect(changes(two, { ...two, guardrails: two.guardrails.toReversed() })).toEqual([]);
});

test('changes are told by field, and of lists what came and went', () => {
  const after = {
    ...POLICY,
    policyMode: 'input' as const,
    blocked_keywords: ['aurora', 'borealis'],
    guardrails: [{ ...POLICY.guardrails[0]!, threshold: 0.7 }],
  };
  expect(changes(POLICY, after)).toEqual([
    { field: 'Mode', from: 'unified', to: 'input' },
    { field: 'Blocked keywords', from: '–', to: 'borealis' },
    { field: 'Personal data: Threshold', from: '0.5', to: '0.7' },
  ]);
});

test('a guardrail that is new says what it does', () => {
  const after = {
    ...POLICY,
    guardrails: [...POLICY.guardrails, { ...POLICY.guardrails[0]!, guardrail: 'spam', action: 'Challenge' as const }],
  };
  expect(changes(POLICY, after)).toEqual([{ field: 'Spam', from: 'not there', to: 'on, Challenge' }]);
});

const point = (threshold: number, recall: number | null, false_positive_rate: number) => ({
  threshold,
  recall,
  false_positive_rate,
  positives: 1,
  negatives: 1,
});
const POINTS = [point(0.2, 0.9, 0.1), point(0.4, 0.7, 0.02)];

test('between two measured points the line is straight, beyond them the nearest counts', () => {
  expect(measuredAt(POINTS, 0.3)?.recall).toBeCloseTo(0.8);
  expect(measuredAt(POINTS, 0.3)?.falsePositives).toBeCloseTo(0.06);
  expect(measuredAt(POINTS, 0)).toEqual({ recall: 0.9, falsePositives: 0.1 });
  expect(measuredAt(POINTS, 1)).toEqual({ recall: 0.7, falsePositives: 0.02 });
});

test('what was not measured is not made up', () => {
  expect(measuredAt([], 0.5)).toBeNull();
  expect(measuredAt([point(0.1, null, 0), point(0.9, 0.5, 0)], 0.5)?.recall).toBeNull();
});

test('a new budget leaves open the thresholds that stayed as they were', () => {
  const draft = {
    ...POLICY,
    false_positive_budget: 0.01,
    guardrails: [...POLICY.guardrails, { ...POLICY.guardrails[0]!, guardrail: 'spam', threshold: 0.9 }],
  };
  const thresholds = (sent(POLICY, draft).guardrails as { threshold?: number }[]).map(({ threshold }) => threshold);
  expect(thresholds).toEqual([undefined, 0.9]);
  expect(sent(draft, draft)).toEqual(draft);
  expect(sent(draft, { ...draft, false_positive_budget: null })).toEqual({ ...draft, false_positive_budget: null });
});
