import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';
import { type Period, startOf } from '@/lib/period';
import { auditActions } from '@/messages/audit-actions';

export type AuditEntry = Schema<'AuditRecord'>;

/** The filters of the audit trail, as the address has them. */
export type AuditFilters = Period & { action?: string; principal?: string };

/** Loads a page of entries, newest first. */
export function loadAudit(
  { action, principal, last, from, to }: AuditFilters,
  limit: number,
  cursor?: string,
  signal?: AbortSignal,
) {
  const start = from ?? startOf(last, new Date())?.toISOString();
  const query = { action, principal, from: start, to, limit, cursor };
  return answer(api.GET('/api/audit', { params: { query }, signal }));
}

export const auditPages = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam }) => loadAudit(filters, 100, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

/** The entry with a number; null if there is none. */
export const auditEntry = (sequence: number) =>
  queryOptions({
    queryKey: ['audit', 'entry', sequence],
    queryFn: async (): Promise<AuditEntry | null> => {
      // A cursor names the entry before which a page begins.
      const { entries } = await loadAudit({}, 1, String(sequence + 1));
      return entries.find((entry) => entry.sequence === sequence) ?? null;
    },
    staleTime: Infinity,
  });

/** Returns an action in words; an unknown one as it is. */
export const actionName = (action: string): string => (auditActions as Record<string, string>)[action] ?? action;
