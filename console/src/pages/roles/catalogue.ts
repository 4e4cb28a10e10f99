import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** Every permission that there is. */
export const catalogue = queryOptions({
  queryKey: ['permissions'],
  queryFn: async () => (await answer(api.GET('/api/permissions'))).permissions,
  staleTime: Infinity,
});
