import type { Schema } from '@/api/client';

/** What happens when a guardrail triggers. */
export const ACTIONS = [
  'Block',
  'Allow',
  'Challenge',
  'Escalate',
] as const satisfies readonly Schema<'WrittenAction'>[];
export type Action = Schema<'WrittenAction'>;

/** How personal data is masked. */
export const STRATEGIES = ['full', 'partial', 'format_preserving', 'hash', 'token'] as const;

/** A guardrail's item in a policy; `docs/policies.md` describes every field. */
export type Item = Schema<'WrittenGuardrail'>;

/** The ticket that a guardrail raises. */
export type Ticket = Schema<'WrittenTicket'>;

/** What may be written of a policy. */
export type Policy = Schema<'WrittenPolicy'>;

/** A policy as it is stored. */
export type StoredPolicy = Policy & Pick<Schema<'PolicyRecord'>, 'policyId' | 'version' | 'created_at' | 'updated_at'>;

/** A measured point of a guardrail: what it finds, and what it flags wrongly, from that threshold on. */
export type OperatingPoint = {
  threshold: number;
  recall: number | null;
  false_positive_rate: number;
  positives: number;
  negatives: number;
};

/** Something that triggered, as decisions and log rows tell it. */
export type Triggered = {
  name: string;
  confidence: number;
  severity: string;
  action: string;
  evidence: string[];
  spans: Span[];
};

/** A place in a text: code points from `start` up to `end`. */
export type Span = { start: number; end: number; document?: number; image?: number; transcript?: boolean };

/** Whether a place is in the prompt or response itself, not in what came with it. */
export const isInSubject = ({ document, image, transcript }: Span): boolean =>
  document === undefined && image === undefined && transcript !== true;

/** The fields that a change of a policy may carry, of a stored one. */
export function writable(stored: StoredPolicy): Policy {
  const { policyId: _id, version: _version, created_at: _created, updated_at: _updated, ...policy } = stored;
  return policy;
}

/**
 * A draft as it is sent. Where it has a new budget, thresholds that it left as they were are left out, so that the
 * service picks them for the budget.
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

/** What was measured at a threshold, drawn straight between the two nearest points. */
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
  return { recall, falsePositives: between(low.false_positive_rate, high.false_positive_rate) };
}
