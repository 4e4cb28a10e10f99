import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { Tone } from '@/ui/Pill';

/** The tone of each state of a connector. */
export const TONES: Record<string, Tone> = { active: 'allow', error: 'block', disabled: 'plain' };

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
