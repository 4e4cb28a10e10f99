import type { Schema } from '@/api/client';

export type Replayed = Schema<'ReplayedRow'>;

/** Kinds of changed decisions. */
export type Kind = 'blocked' | 'allowed' | 'decided' | 'guardrails' | 'masked';

/** The kinds in the order in which they are listed. */
export const KINDS: Kind[] = ['blocked', 'allowed', 'decided', 'guardrails', 'masked'];

const STOPS = ['block', 'challenge', 'escalate'];

/**
 * Returns how the new decision differs; null if it does not. Texts that were masked are apart, because the draft saw markers
 * in place of the personal data.
 */
export function kindOf(entry: Replayed): Kind | null {
  const { changed, masked, decision, new_decision } = entry;
  if (masked) return changed ? 'masked' : null;
  const [stopped, stops] = [STOPS.includes(decision), STOPS.includes(new_decision)];
  if (stops && !stopped) return 'blocked';
  if (stopped && !stops) return 'allowed';
  if (changed) return 'decided';
  return hasOtherGuardrails(entry) ? 'guardrails' : null;
}

function hasOtherGuardrails({ previous_guardrails, triggered_guardrails }: Replayed): boolean {
  const now = triggered_guardrails.map(({ name }) => name);
  return now.length !== previous_guardrails.length || now.some((name) => !previous_guardrails.includes(name));
}
