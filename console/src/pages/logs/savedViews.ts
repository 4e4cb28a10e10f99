import { type LogFilters, readLogFilters } from './filters';

/** Returns filters as a view stores them: the values of each, by the names of the API. */
export function sent({ more, ...filters }: LogFilters): Record<string, string[]> {
  const stored: Record<string, string[]> = {};
  const single = Object.entries(filters).map(([name, value]) => [name, String(value)] as const);
  for (const [name, value] of [...single, ...new URLSearchParams(more)])
    stored[name] = [...(stored[name] ?? []), value];
  return stored;
}

/** Returns the filters of a stored view. */
export function filtersOf(stored: Record<string, string[]>): LogFilters {
  const more = new URLSearchParams();
  const single: Record<string, string> = {};
  for (const [name, values] of Object.entries(stored)) {
    const [first] = values;
    if (values.length === 1 && first !== undefined && !name.startsWith('not_')) single[name] = first;
    else for (const value of values) more.append(name, value);
  }
  return readLogFilters({ ...single, more: more.toString() });
}
