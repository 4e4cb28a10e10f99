import type { Schema } from '@/api/client';

/** What happens when a guardrail triggers. */
export const ACTIONS = [
  'Block',
  'Allow',
  'Challenge',
  'Escalate',
] as const satisfies readonly Schema<'WrittenAction'>[];
export type Action = Schema<'WrittenAction'>;

/** The masking strategies for personal data. */
export const STRATEGIES = ['full', 'partial', 'format_preserving', 'hash', 'token', 'synthetic'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** The configuration of one guardrail in a policy; `docs/reference/policies.md` describes every field. */
export type Item = Schema<'WrittenGuardrail'>;

/** The ticket that a guardrail creates. */
export type Ticket = Schema<'WrittenTicket'>;

/** The fields of a policy that can be written. */
export type Policy = Schema<'WrittenPolicy'>;

/** A stored policy. */
export type StoredPolicy = Policy & Pick<Schema<'PolicyRecord'>, 'policyId' | 'version' | 'created_at' | 'updated_at'>;

/** The measured recall and false positive rate of a guardrail at a threshold. */
export type OperatingPoint = Schema<'OperatingPoint'>;

/** A triggered guardrail in a decision or log entry. */
export type Triggered = Schema<'TriggeredGuardrail'>;

/** A part of a text: code points from `start` up to, but not including, `end`. */
export type Span = Schema<'Span'>;

/** Whether a span is in the prompt or response itself, not in a document, image, earlier turn or audio. */
export const isInSubject = ({ document, image, turn, transcript }: Span): boolean =>
  document === undefined && image === undefined && turn === undefined && transcript !== true;

/** Returns the writable fields of a stored policy. */
export function writable(stored: StoredPolicy): Policy {
  const { policyId: _id, version: _version, created_at: _created, updated_at: _updated, ...policy } = stored;
  return policy;
}

/**
 * Returns a draft as it is published. If the false positive budget is new, unchanged thresholds are omitted, so that
 * the service sets them for the budget.
 */
export function sent(stored: Policy, draft: Policy): Record<string, unknown> {
  const budget = draft.false_positive_budget ?? null;
  if (budget === null || budget === (stored.false_positive_budget ?? null)) return draft;
  const open = (item: Item) => {
    const isLeft = stored.guardrails.some(
      ({ guardrail, threshold }) => guardrail === item.guardrail && threshold === item.threshold,
    );
    const { threshold: _picked, ...rest } = item;
    return isLeft ? rest : item;
  };
  return { ...draft, guardrails: draft.guardrails.map(open) };
}

/** Returns the measured rates at a threshold, interpolated between the two nearest points. */
export function measuredAt(
  points: OperatingPoint[],
  threshold: number,
): { recall: number | null; falsePositives: number } | null {
  const after = points.findIndex((point) => point.threshold >= threshold);
  const high = points[after === -1 ? points.length - 1 : after];
  const low = after > 0 ? points[after - 1] : high;
  if (high === undefined || low === undefined) return null;
  const way = high === low ? 0 : (threshold - low.threshold) / (high.threshold - low.threshold);
  const between = (a: number, b: number) => a + (b - a) * way;
  const recall = low.recall === null || high.recall === null ? null : between(low.recall, high.recall);
  if (low.false_positive_rate === null || high.false_positive_rate === null) return null;
  return { recall, falsePositives: between(low.false_positive_rate, high.false_positive_rate) };
}
