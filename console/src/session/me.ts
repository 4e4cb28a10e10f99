import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** Who is signed in, and what they may do. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: () => answer(api.GET('/api/users/me')),
  staleTime: 60_000,
});

/** A question about permissions: `may('LOGS:VIEW_LOG')`. Nothing until the answer is there. */
export function usePermission(): (permission: string) => boolean {
  const permissions = useQuery(me).data?.permissions ?? [];
  return (permission) => permissions.includes(permission);
}
