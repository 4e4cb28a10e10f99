import { expect, test } from 'vitest';
import { changes } from '@/lib/diff';
import { type Item, measuredAt, type Policy, sent } from '@/lib/policy';
import { isNamed } from '@/pages/policies/aliases';

const PII: Item = {
  guardrail: 'pii',
  description: '',
  threshold: 0.5,
  enabled: true,
  action: 'Block',
  ticket: null,
};
const POLICY: Policy = {
  policyName: 'Desk',
  policyDescription: '',
  policyMode: 'unified',
  max_prompt_length: 10_000,
  allowed_keywords: [],
  blocked_keywords: ['aurora'],
  compliance_region: null,
  compliance_frameworks: [],
  guardrails: [PII],
};

test('reordering guardrails is not a change', () => {
  expect(changes(POLICY, structuredClone(POLICY))).toEqual([]);
  const two = { ...POLICY, guardrails: [...POLICY.guardrails, { ...PII, guardrail: 'spam' as const }] };
  expect(changes(two, { ...two, guardrails: two.guardrails.toReversed() })).toEqual([]);
});

test('what the service computes of a topic is not a change', () => {
  const topic = { name: 'holidays', examples: ['Plan a trip', 'Book a hotel', 'Cheap flights'] };
  const withTopics = (share?: number) => ({
    ...POLICY,
    guardrails: [
      { ...PII, guardrail: 'custom_topics' as const, topics: [{ ...topic, expected_false_positives: share }] },
    ],
  });
  expect(changes(withTopics(0.004), withTopics())).toEqual([]);
});

test('changes are listed by field, and lists by added and removed entries', () => {
  const after = {
    ...POLICY,
    policyMode: 'input' as const,
    blocked_keywords: ['aurora', 'borealis'],
    guardrails: [{ ...PII, threshold: 0.7 }],
  };
  expect(changes(POLICY, after)).toEqual([
    { field: 'Mode', from: 'unified', to: 'input' },
    { field: 'Blocked keywords', from: '–', to: 'borealis' },
    { field: 'Personal data: Threshold', from: '0.5', to: '0.7' },
  ]);
});

test('an added guardrail shows its action', () => {
  const after = {
    ...POLICY,
    guardrails: [...POLICY.guardrails, { ...PII, guardrail: 'spam' as const, action: 'Challenge' as const }],
  };
  expect(changes(POLICY, after)).toEqual([{ field: 'Spam', from: 'Not in the policy', to: 'On, Challenge' }]);
});

const point = (threshold: number, recall: number | null, false_positive_rate: number) => ({
  threshold,
  recall,
  false_positive_rate,
  positives: 1,
  negatives: 1,
});
const POINTS = [point(0.2, 0.9, 0.1), point(0.4, 0.7, 0.02)];

test('values are interpolated between two points, and taken from the nearest point beyond them', () => {
  expect(measuredAt(POINTS, 0.3)?.recall).toBeCloseTo(0.8);
  expect(measuredAt(POINTS, 0.3)?.falsePositives).toBeCloseTo(0.06);
  expect(measuredAt(POINTS, 0)).toEqual({ recall: 0.9, falsePositives: 0.1 });
  expect(measuredAt(POINTS, 1)).toEqual({ recall: 0.7, falsePositives: 0.02 });
});

test('missing measurements return null', () => {
  expect(measuredAt([], 0.5)).toBeNull();
  expect(measuredAt([point(0.1, null, 0), point(0.9, 0.5, 0)], 0.5)?.recall).toBeNull();
});

test('a new budget omits unchanged thresholds', () => {
  const draft = {
    ...POLICY,
    false_positive_budget: 0.01,
    guardrails: [...POLICY.guardrails, { ...PII, guardrail: 'spam' as const, threshold: 0.9 }],
  };
  const thresholds = (sent(POLICY, draft).guardrails as { threshold?: number }[]).map(({ threshold }) => threshold);
  expect(thresholds).toEqual([undefined, 0.9]);
  expect(sent(draft, draft)).toEqual(draft);
  expect(sent(draft, { ...draft, false_positive_budget: null })).toEqual({ ...draft, false_positive_budget: null });
});

test('a framework is named by its ID, its name or another name, in any spelling', () => {
  const record = {
    framework: 'pci_dss',
    name: 'PCI DSS v4.0.1',
    source: '',
    aliases: ['PCI', 'Kartenstandard für alle'],
  };
  for (const name of ['pci_dss', 'PCI-DSS', 'pci dss v4.0.1', 'PCI', 'kartenstandard FÜR alle'])
    expect(isNamed(record, name), name).toBe(true);
  for (const name of ['PCI DSS v3', 'pc', '']) expect(isNamed(record, name), name).toBe(false);
});
