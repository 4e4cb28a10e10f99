import { infiniteQueryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';

export type Ticket = Schema<'TicketRecord'>;

/** The filters of the list, as the address has them. */
export type TicketFilters = { status?: string; connector?: string };

export function loadTickets({ status, connector }: TicketFilters, cursor?: string, limit?: number) {
  // From the address: the service refuses an unknown status.
  const query = { status: status as Schema<'TicketStatus'> | undefined, connector, cursor, limit };
  return answer(api.GET('/api/tickets', { params: { query } }));
}

const QUEUED_MS = 2_000;
const USUAL_MS = 15_000;

export const ticketPages = (filters: TicketFilters) =>
  infiniteQueryOptions({
    queryKey: ['tickets', filters],
    queryFn: ({ pageParam }) => loadTickets(filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Queued tickets are delivered within seconds.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ tickets }) => tickets.some(({ status }) => status === 'queued')) ? QUEUED_MS : USUAL_MS,
  });

/** Queues a failed ticket again. */
export const retry = (ticket_id: string) =>
  answer(api.POST('/api/tickets/{ticket_id}/retry', { params: { path: { ticket_id } } }));
