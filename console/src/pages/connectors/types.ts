import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** The connector types with their fields. */
export const connectorTypes = queryOptions({
  queryKey: ['connectors', 'types'],
  queryFn: async () => (await answer(api.GET('/api/connectors/types'))).types,
  staleTime: Infinity,
});

/** A connector with its fields. */
export const connector = (id: string) =>
  queryOptions({
    queryKey: ['connectors', id],
    queryFn: () => answer(api.GET('/api/connectors/{id}', { params: { path: { id } } })),
  });
