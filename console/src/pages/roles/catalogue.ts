import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** All permissions. */
export const catalogue = queryOptions({
  queryKey: ['permissions'],
  queryFn: async () => (await answer(api.GET('/api/permissions'))).permissions,
  staleTime: Infinity,
});
