import type { Schema } from '@/api/client';
import { percent, words } from '@/lib/format';
import { messages } from '@/messages/alerts';

export type Condition = Schema<'AlertCondition'>;
export type ConditionType = Condition['type'];

/** The condition types in the order in which they are offered. */
export const TYPES = Object.keys(messages.conditions) as ConditionType[];

/** Condition types that can be restricted to a project. */
export const hasProject = (type: ConditionType): boolean => type === 'block_rate' || type === 'guardrail_spike';

/** Returns the default condition of a type. */
export function initial(type: ConditionType, guardrail: string): Condition {
  switch (type) {
    case 'block_rate':
      return { type, share: 0.2, min_count: 50, period_minutes: 15 };
    case 'guardrail_spike':
      return { type, guardrail, factor: 3, min_count: 10, period_minutes: 60 };
    case 'credits_low':
      return { type, balance: 1000 };
    case 'connector_down':
      return { type, connector_id: null };
    case 'engine_degraded':
      return { type };
  }
}

/** Returns a condition in one sentence. */
export function sentence(condition: Condition, connectorName: (id: string) => string): string {
  const texts = messages.sentence;
  switch (condition.type) {
    case 'block_rate': {
      const share = percent(condition.share, Number.isInteger(condition.share * 100) ? 0 : 1);
      return texts.block_rate(share, condition.period_minutes, condition.min_count);
    }
    case 'guardrail_spike': {
      const { guardrail, factor, period_minutes, min_count } = condition;
      return texts.guardrail_spike(words(guardrail), factor, period_minutes, min_count);
    }
    case 'credits_low':
      return texts.credits_low(condition.balance);
    case 'connector_down':
      return texts.connector_down(condition.connector_id ? connectorName(condition.connector_id) : null);
    case 'engine_degraded':
      return texts.engine_degraded();
  }
}
