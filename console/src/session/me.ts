import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';

/** The signed-in user with their permissions. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: () => answer(api.GET('/api/users/me')),
  staleTime: 60_000,
});

/** Returns a function that checks a permission: `may('LOGS:VIEW_LOG')`. It returns false until the user is loaded. */
export function usePermission(): (permission: Schema<'PermissionName'>) => boolean {
  const permissions = useQuery(me).data?.permissions ?? [];
  return (permission) => permissions.includes(permission);
}
