import { expect, test } from 'vitest';
import { auditChanges } from '@/lib/auditChanges';
import { actionName } from '@/pages/audit/data';
import { kindOf, nameInDetails } from '@/pages/audit/targets';

test('changed fields, list items and fields of list items are lines with both values', () => {
  const details = {
    max_prompt_length: { from: 10_000, to: 8_000 },
    blocked_keywords: { added: ['aurora'], removed: ['borealis'] },
    guardrails: { changed: { toxicity: { threshold: { from: 0.5, to: 0.3 } } } },
    gateway: { from: { on_block: 'error', routes: [] }, to: { on_block: 'answer', routes: [] } },
    log_content: { from: null, to: 'none' },
  };
  expect(auditChanges(details)).toEqual([
    { path: ['max_prompt_length'], from: 10_000, to: 8_000 },
    { path: ['blocked_keywords'], from: 'borealis', to: null },
    { path: ['blocked_keywords'], from: null, to: 'aurora' },
    { path: ['guardrails', 'toxicity', 'threshold'], from: 0.5, to: 0.3 },
    { path: ['gateway', 'on_block'], from: 'error', to: 'answer' },
    { path: ['log_content'], from: null, to: 'none' },
  ]);
});

test('details that are no change are shown as they are', () => {
  expect(auditChanges({ sessions: 2, filter: { decision: 'block' } })).toEqual([
    { path: ['sessions'], value: 2 },
    { path: ['filter'], value: { decision: 'block' } },
  ]);
  expect(auditChanges({})).toEqual([]);
});

test('a target is of the kind that its action acts on, and a deleted one keeps its name', () => {
  expect(
    [
      'FIREWALL_POLICIES:UPDATE_POLICY',
      'LOGS:REVEAL_TEXT',
      'LOGS:CREATE_VIEW',
      'CONNECTORS:TEST_ALERT',
      'CONNECTORS:RETRY_TICKET',
      'CONNECTORS:TEST_CONNECTOR',
      'create-user',
    ].map(kindOf),
  ).toEqual(['policy', 'log', null, 'alert', null, 'connector', null]);
  expect(nameInDetails({ name: 'Robot' })).toBe('Robot');
  expect(nameInDetails({ policyName: { from: 'Old', to: 'New' } })).toBe('New');
  expect(nameInDetails({ sessions: 2 })).toBeUndefined();
});

test('an unknown action is shown as the service names it', () => {
  expect(actionName('PROJECTS:CREATE_PROJECT')).toBe('Project created');
  expect(actionName('PLANETS:MOVE_PLANET')).toBe('PLANETS:MOVE_PLANET');
});
