import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';

/** What rows of the log are looked for; the names are the API's, and stand so in the address. */
export type LogFilters = {
  project?: string;
  decision?: string;
  outcome?: string;
  guardrail?: string;
  risk?: string;
  mark?: string;
  source_app?: string;
  username?: string;
  q?: string;
  from?: string;
  to?: string;
};

/** The names of the filters, in the order in which they are written. */
export const NAMES = [
  'project',
  'decision',
  'outcome',
  'guardrail',
  'risk',
  'mark',
  'source_app',
  'username',
  'from',
  'to',
  'q',
] as const;

/** The filters of an address; whatever else stands there is left out. */
export function readLogFilters(search: Record<string, unknown>): LogFilters {
  const filters: LogFilters = {};
  for (const name of NAMES) {
    const value = search[name];
    if (value !== undefined && value !== null && String(value) !== '') filters[name] = String(value);
  }
  return filters;
}

/** The filters as the query of an address, for what is fetched without the typed client. */
export const asQuery = (filters: LogFilters): string =>
  new URLSearchParams(readLogFilters(filters) as Record<string, string>).toString();

/** Rows, newest first, a page at a time. */
export const logPages = (filters: LogFilters) =>
  infiniteQueryOptions({
    queryKey: ['logs', 'pages', filters],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/logs', { params: { query: { ...filters, limit: 200, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // The tail brings what is new; asking for every page again would lose one's place.
    staleTime: Infinity,
  });

/** What the newest rows that pass have in common. */
export const logFacets = (filters: LogFilters) =>
  queryOptions({
    queryKey: ['logs', 'facets', filters],
    queryFn: () => answer(api.GET('/api/logs/facets', { params: { query: filters } })),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** One entry, with what lists leave out. */
export const logEntry = (id: string) =>
  queryOptions({
    queryKey: ['logs', 'entry', id],
    queryFn: () => answer(api.GET('/api/logs/{log_id}', { params: { path: { log_id: id } } })),
    staleTime: Infinity,
  });
