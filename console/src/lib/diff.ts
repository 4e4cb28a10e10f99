import { words } from './format';
import type { Item, Policy } from './policy';

/** One difference between two policies, in words. */
export type Change = { field: string; from: string; to: string };

/** What differs, field by field; guardrails are compared by name and lists by what came and went. */
export function changes(before: Policy, after: Policy): Change[] {
  const { guardrails: _before, ...plain } = before;
  const { guardrails: _after, ...next } = after;
  return [...fields('', plain, next), ...items(before.guardrails, after.guardrails)];
}

function items(before: Item[], after: Item[]): Change[] {
  const names = [...new Set([...before, ...after].map(({ guardrail }) => guardrail))];
  return names.flatMap((name) => {
    const [old, now] = [before, after].map((list) => list.find(({ guardrail }) => guardrail === name));
    if (old === undefined)
      return [{ field: words(name), from: 'not there', to: now?.enabled ? `on, ${now.action}` : 'off' }];
    if (now === undefined)
      return [{ field: words(name), from: old.enabled ? `on, ${old.action}` : 'off', to: 'not there' }];
    return fields(`${words(name)}: `, old, now);
  });
}

function fields(prefix: string, before: object, after: object): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const [from, to] = [before, after].map((one) => (one as Record<string, unknown>)[name]);
    if (JSON.stringify(from ?? null) === JSON.stringify(to ?? null)) return [];
    const field = prefix + label(name);
    return Array.isArray(from) || Array.isArray(to)
      ? [list(field, from ?? [], to ?? [])]
      : [{ field, from: said(from), to: said(to) }];
  });
}

function list(field: string, from: unknown, to: unknown): Change {
  const [old, now] = [from, to].map((entries) => (entries as unknown[]).map(said));
  const only = (these: string[] = [], those: string[] = []) => these.filter((one) => !those.includes(one));
  return { field, from: only(old, now).join(', ') || '–', to: only(now, old).join(', ') || '–' };
}

const said = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const label = (name: string) =>
  words(
    name
      .replace(/^policy/, '')
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .replace(/^pii_/, ''),
  );
