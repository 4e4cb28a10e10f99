/** A line of an audit entry: a field, by its path, with the values before and after, or with a single value. */
export type AuditChange = { path: string[] } & ({ from: unknown; to: unknown } | { value: unknown });

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True if the keys of an object are some of `names`, and one at least. */
const hasOnly = (value: Fields, names: string[]): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((name) => names.includes(name));

/**
 * Returns the lines of an entry's details. The service writes a changed field as `{from, to}`, and a changed list as
 * `{added, removed, changed}`. Of objects, only the fields that differ are lines.
 */
export function auditChanges(details: Fields, path: string[] = []): AuditChange[] {
  return Object.entries(details).flatMap(([name, value]) => lines([...path, name], value));
}

function lines(path: string[], value: unknown): AuditChange[] {
  if (!isFields(value)) return [{ path, value }];
  if (hasOnly(value, ['from', 'to'])) return difference(path, value.from, value.to);
  if (hasOnly(value, ['added', 'removed', 'changed'])) return listLines(path, value);
  return [{ path, value }];
}

function difference(path: string[], from: unknown, to: unknown): AuditChange[] {
  if (!isFields(from) || !isFields(to)) return [{ path, from: from ?? null, to: to ?? null }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .flatMap((name) => difference([...path, name], from[name], to[name]));
}

function listLines(path: string[], { added, removed, changed }: Fields): AuditChange[] {
  const items = (list: unknown) => (Array.isArray(list) ? list : []);
  const inner = isFields(changed) ? changed : {};
  return [
    ...items(removed).map((item) => ({ path, from: item, to: null })),
    ...items(added).map((item) => ({ path, from: null, to: item })),
    ...Object.entries(inner).flatMap(([name, fields]) =>
      isFields(fields) ? auditChanges(fields, [...path, name]) : [{ path: [...path, name], value: fields }],
    ),
  ];
}
