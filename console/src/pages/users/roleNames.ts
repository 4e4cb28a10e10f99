import { useQuery } from '@tanstack/react-query';
import { roles } from '@/api/data';
import { usePermission } from '@/session/me';

const BUILT_IN = ['viewer', 'analyst', 'developer', 'admin', 'owner'];

/** Returns the roles to choose from, with the given one, as options of a select. */
export function useRoleNames(current?: string): (readonly [string, string])[] {
  const may = usePermission();
  const known = useQuery({ ...roles, enabled: may('ROLES:VIEW_ROLE') }).data?.map(({ name }) => name) ?? BUILT_IN;
  const names = current === undefined ? known : [...known, current];
  return [...new Set(names)].map((name) => [name, name] as const);
}
