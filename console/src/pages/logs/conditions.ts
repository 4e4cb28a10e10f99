import type { LogFilters } from './filters';

/** Filters that take several values, and may leave values out. */
export const REPEATABLE = [
  'decision',
  'outcome',
  'guardrail',
  'risk',
  'mark',
  'source_app',
  'username',
  'principal',
  'surface',
  'conversation_id',
] as const;
export type Repeatable = (typeof REPEATABLE)[number];

/** A value that entries must have, or must not have. Of several values that they must have, any one is enough. */
export type Condition = { name: Repeatable; value: string; isNot: boolean };

const NOT = 'not_';

/** Whether a filter takes several values. */
export const isRepeatable = (name: string): name is Repeatable => REPEATABLE.some((one) => one === name);

/** Returns the conditions of filters, in the order in which they are written. */
export function conditionsOf(filters: LogFilters): Condition[] {
  const further = [...new URLSearchParams(filters.more)].flatMap(([word, value]) => {
    const isNot = word.startsWith(NOT);
    const name = isNot ? word.slice(NOT.length) : word;
    return isRepeatable(name) ? [{ name, value, isNot }] : [];
  });
  return REPEATABLE.flatMap((name) => {
    const value = filters[name];
    const first = value === undefined ? [] : [{ name, value, isNot: false }];
    return [...first, ...further.filter((one) => one.name === name)];
  });
}

/** Returns filters with these conditions in place of theirs. A single value of a filter is written by its name. */
export function withConditions(filters: LogFilters, conditions: Condition[]): LogFilters {
  const next: LogFilters = { ...filters };
  for (const name of [...REPEATABLE, 'more'] as const) delete next[name];
  const more = new URLSearchParams();
  for (const name of REPEATABLE) {
    const own = conditions.filter((one) => one.name === name);
    const values = [...new Set(own.filter(({ isNot }) => !isNot).map(({ value }) => value))];
    if (values.length === 1) next[name] = values[0];
    else for (const value of values) more.append(name, value);
    for (const value of new Set(own.filter(({ isNot }) => isNot).map((one) => one.value)))
      more.append(NOT + name, value);
  }
  if (more.size > 0) next.more = more.toString();
  return next;
}
