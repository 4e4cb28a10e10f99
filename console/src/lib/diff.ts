import { messages } from '@/messages/policies';
import { fieldWords, words } from './format';
import type { Item, Policy } from './policy';

const text = messages.changes;

/** One difference between two policies, as displayed. */
export type Change = { field: string; from: string; to: string };

/** Returns the differences by field. Guardrails are compared by name, lists by added and removed entries. */
export function changes(before: Policy, after: Policy): Change[] {
  const { guardrails: _before, ...plain } = before;
  const { guardrails: _after, ...next } = after;
  return [...fields(null, plain, next), ...items(before.guardrails, after.guardrails)];
}

function items(before: Item[], after: Item[]): Change[] {
  const names = [...new Set([...before, ...after].map(({ guardrail }) => guardrail))];
  return names.flatMap((name) => {
    const [old, now] = [before, after].map((list) => list.find(({ guardrail }) => guardrail === name));
    if (old === undefined) return [{ field: words(name), from: text.absent, to: stateOf(now) }];
    if (now === undefined) return [{ field: words(name), from: stateOf(old), to: text.absent }];
    return fields(words(name), old, now);
  });
}

const stateOf = (item: Item | undefined) => (item?.enabled ? text.on(words(item.action)) : text.off);

function fields(guardrail: string | null, before: object, after: object): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [from, to] = [before, after].map((one) => (one as Record<string, unknown>)[name]);
    if (written(from ?? null) === written(to ?? null)) return [];
    const field = guardrail === null ? fieldWords(name) : text.ofGuardrail(guardrail, fieldWords(name));
    return Array.isArray(from) || Array.isArray(to)
      ? [list(field, from ?? [], to ?? [])]
      : [{ field, from: display(from), to: display(to) }];
  });
}

function list(field: string, from: unknown, to: unknown): Change {
  const [old, now] = [from, to].map((entries) => (entries as unknown[]).map(display));
  const only = (these: string[] = [], those: string[] = []) => these.filter((one) => !those.includes(one));
  return { field, from: only(old, now).join(', ') || '–', to: only(now, old).join(', ') || '–' };
}

/** Returns a value as JSON, without what the service computes of a policy. */
const written = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => (name === 'expected_false_positives' ? undefined : inner));

const display = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'object'
      ? written(value)
      : String(value);
