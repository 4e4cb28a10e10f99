import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { paths } from '@/api/schema';
import { startOf } from '@/lib/period';

/** The filters of the log, with the names of the API. The address uses the same names. */
export type LogFilters = {
  project?: string;
  decision?: string;
  outcome?: string;
  /** A boolean, which addresses write without quotation marks; or a text that the service refuses. */
  triggered?: boolean | string;
  guardrail?: string;
  risk?: string;
  mark?: string;
  source_app?: string;
  username?: string;
  /** `user:NAME` or `api_key:ID`. */
  principal?: string;
  surface?: string;
  conversation_id?: string;
  /** Further conditions as a query string: names with several values, and names with `not_` in front. */
  more?: string;
  q?: string;
  from?: string;
  to?: string;
  /** A relative period, such as `24h`, of which only the console knows. */
  last?: string;
};

/** The filters as the API declares them. They come from an address: the service refuses unknown values. */
type Declared = NonNullable<paths['/api/logs/facets']['get']['parameters']['query']>;
export function declared({ more, ...filters }: LogFilters): Declared {
  const all: Record<string, unknown> = { ...filters };
  for (const [name, value] of new URLSearchParams(more)) {
    const before = all[name];
    all[name] = [...(before === undefined ? [] : [before].flat()), value];
  }
  return all as unknown as Declared;
}

/** The filter names, in the order in which they are written. */
export const NAMES = [
  'project',
  'decision',
  'outcome',
  'triggered',
  'guardrail',
  'risk',
  'mark',
  'source_app',
  'username',
  'principal',
  'surface',
  'conversation_id',
  'more',
  'last',
  'from',
  'to',
  'q',
] as const;

/** Reads the filters from an address and ignores everything else. */
export function readLogFilters(search: Record<string, unknown>): LogFilters {
  const filters: LogFilters = {};
  for (const name of NAMES) {
    const value = search[name];
    if (value === undefined || value === null || String(value) === '') continue;
    if (name === 'triggered') filters.triggered = readBoolean(String(value));
    else filters[name] = String(value);
  }
  return filters;
}

/** Returns filters for the API, with the start of a relative period in place of it. */
export function resolved({ last, ...filters }: LogFilters, now = new Date()): LogFilters {
  if (filters.from !== undefined || filters.to !== undefined) return filters;
  const from = startOf(last, now);
  return from === null ? filters : { ...filters, from: from.toISOString() };
}

/** Reads `true` and `false`; other texts stay as they are. */
export const readBoolean = (text: string): boolean | string => ({ true: true, false: false })[text] ?? text;

/** Whether the filters end before now, so that no new entry can match. */
export const isPast = ({ to }: LogFilters): boolean => to !== undefined && !(Date.parse(to) > Date.now());

/** Returns the filters as a query string, for requests without the typed client. */
export function asQuery(filters: LogFilters): string {
  const { more, ...single } = readLogFilters(filters);
  const named = Object.entries(single).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...named, ...new URLSearchParams(more)]).toString();
}

/** Pages of log entries, newest first. */
export const logPages = (filters: LogFilters) =>
  infiniteQueryOptions({
    queryKey: ['logs', 'pages', filters],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/logs', { params: { query: { ...declared(filters), limit: 200, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // New entries arrive live. Reloading every page would lose the scroll position.
    staleTime: Infinity,
  });

/** Counts of the newest matching entries by field. */
export const logFacets = (filters: LogFilters) =>
  queryOptions({
    queryKey: ['logs', 'facets', filters],
    queryFn: () => answer(api.GET('/api/logs/facets', { params: { query: declared(filters) } })),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });

/** One entry with the details that lists omit. */
export const logEntry = (id: string) =>
  queryOptions({
    queryKey: ['logs', 'entry', id],
    queryFn: () => answer(api.GET('/api/logs/{log_id}', { params: { path: { log_id: id } } })),
    staleTime: Infinity,
  });
