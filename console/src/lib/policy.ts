import type { Schema } from '@/api/client';

/** What happens when a guardrail triggers. */
export const ACTIONS = ['Block', 'Allow', 'Challenge', 'Escalate'] as const;
export type Action = (typeof ACTIONS)[number];

/** How personal data is masked. */
export const STRATEGIES = ['full', 'partial', 'format_preserving', 'hash', 'token'] as const;

/** A guardrail's item in a policy; `docs/policies.md` describes every field. */
export type Item = {
  guardrail: string;
  description: string;
  /** Confidences from here on trigger, 0 to 1. */
  threshold: number;
  enabled: boolean;
  action: Action;
  ticket: Record<string, unknown> | null;
  pii_masking_enabled?: boolean;
  pii_masking_strategy?: string;
  pii_kinds?: string[];
  patterns?: { name: string; pattern: string }[];
  terms?: string[];
  documents?: string[];
};

/** What may be written of a policy. */
export type Policy = {
  policyName: string;
  policyDescription: string;
  policyMode: 'input' | 'output' | 'unified';
  guardrails: Item[];
  max_prompt_length: number;
  allowed_keywords: string[];
  blocked_keywords: string[];
  compliance_region: string | null;
  compliance_frameworks: string[];
};

/** A policy as it is stored. */
export type StoredPolicy = Policy & Pick<Schema<'PolicyRecord'>, 'policyId' | 'version' | 'created_at' | 'updated_at'>;

/** A measured point of a guardrail: what it finds, and what it flags wrongly, from that threshold on. */
export type OperatingPoint = { threshold: number; recall: number | null; false_positive_rate: number; positives: number; negatives: number };

/** Something that triggered, as decisions and log rows tell it. */
export type Triggered = { name: string; confidence: number; severity: string; action: string; evidence: string[]; spans: Span[] };

/** A place in a text: code points from `start` up to `end`. */
export type Span = { start: number; end: number; document?: number };

/** The fields that a change of a policy may carry, of a stored one. */
export function writable(stored: StoredPolicy): Policy {
  const { policyId: _id, version: _version, created_at: _created, updated_at: _updated, ...policy } = stored;
  return policy;
}

/** What was measured at a threshold, drawn straight between the two nearest points. */
export function measuredAt(points: OperatingPoint[], threshold: number): { recall: number | null; falsePositives: number } | null {
  const after = points.findIndex((point) => point.threshold >= threshold);
  const high = points[after === -1 ? points.length - 1 : after];
  const low = after > 0 ? points[after - 1] : high;
  if (high === undefined || low === undefined) return null;
  const way = high === low ? 0 : (threshold - low.threshold) / (high.threshold - low.threshold);
  const between = (a: number, b: number) => a + (b - a) * way;
  const recall = low.recall === null || high.recall === null ? null : between(low.recall, high.recall);
  return { recall, falsePositives: between(low.false_positive_rate, high.false_positive_rate) };
}
