import type { Schema } from '@/api/client';

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Whether a policy names a framework by its ID or its name. */
export const isNamed = ({ framework, name }: Schema<'FrameworkName'>, one: string): boolean =>
  [framework, name].map(plain).includes(plain(one));

/**
 * Returns the framework of each written name that is neither an ID nor a name. The service reports the frameworks in the
 * order in which the policy names them.
 */
export function aliasesOf(
  written: string[],
  known: Schema<'FrameworkName'>[],
  { frameworks, unknown_frameworks }: Pick<Schema<'Mapped'>, 'frameworks' | 'unknown_frameworks'>,
): Map<string, string> {
  const aliases = new Map<string, string>();
  const seen = new Set<string>();
  for (const one of written.filter((name) => !unknown_frameworks.includes(name))) {
    const direct = known.find((record) => isNamed(record, one))?.framework;
    const found = direct ?? frameworks.find(({ framework }) => !seen.has(framework))?.framework;
    if (found === undefined) continue;
    if (direct === undefined) aliases.set(one, found);
    seen.add(found);
  }
  return aliases;
}
