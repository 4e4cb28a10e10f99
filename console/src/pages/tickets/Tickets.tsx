import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { moment, words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/tickets';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill, type Tone } from '@/ui/Pill';
import { Table } from '@/ui/Table';

const route = getRouteApi('/app/tickets');
const STATES = [['', messages.allStates] as const, ...Object.entries(messages.states)];
const TONES: Record<string, Tone> = { queued: 'challenge', sent: 'allow', commented: 'allow', dead: 'block' };

/** Lists the tickets that guardrails raised in other systems. */
export function Tickets() {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['tickets', status],
    queryFn: ({ pageParam }) => {
      // From the address: the service refuses an unknown one.
      const query = { status: status as Schema<'TicketStatus'> | undefined, cursor: pageParam };
      return answer(api.GET('/api/tickets', { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Queued tickets are delivered within seconds.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ tickets }) => tickets.some((ticket) => ticket.status === 'queued')) ? 2_000 : 15_000,
  });
  return (
    <Page
      title={messages.title}
      intro={messages.intro}
      actions={
        <Select
          label={common.status}
          hidden
          boxClass="w-48"
          value={status ?? ''}
          options={STATES}
          onChange={(event) => void navigate({ search: { status: event.target.value || undefined } })}
        />
      }
    >
      <Card>
        <Loaded query={query}>
          {({ pages }) => (
            <TicketTable tickets={pages.flatMap(({ tickets }) => tickets)} status={status} more={query.hasNextPage} />
          )}
        </Loaded>
        {query.hasNextPage && (
          <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {messages.older}
          </Button>
        )}
      </Card>
    </Page>
  );
}

type Ticket = Schema<'TicketRecord'>;

type TableProps = { tickets: Ticket[]; status: string | undefined; more: boolean };

function TicketTable({ tickets, status, more }: TableProps) {
  const may = usePermission();
  const retry = useMutation({
    mutationFn: (ticket_id: string) =>
      answer(api.POST('/api/tickets/{ticket_id}/retry', { params: { path: { ticket_id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tickets'] }),
  });
  return (
    <Table
      name={messages.title}
      rows={tickets}
      id={({ ticket_id }) => ticket_id}
      more={more}
      empty={<NoTickets status={status} />}
      columns={[
        {
          head: messages.ticket,
          value: ({ key, title }) => (key ? `${key} ${title}` : title),
          cell: (ticket) => <TicketName of={ticket} />,
        },
        { head: messages.system, value: ({ system }) => words(system) },
        { head: messages.guardrail, value: ({ guardrail }) => words(guardrail) },
        {
          head: common.status,
          value: (ticket) => stateOf(ticket),
          cell: ({ status: state, last_error, next_attempt_at, ...ticket }) => (
            <span className="flex max-w-64 flex-col items-start gap-0.5">
              <Pill tone={TONES[state] ?? 'plain'}>{stateOf({ status: state, ...ticket })}</Pill>
              {next_attempt_at && ticket.attempts > 0 && (
                <span className="text-xs">{messages.nextAttempt(moment(next_attempt_at))}</span>
              )}
              {last_error && <span className="text-xs text-quiet">{last_error}</span>}
            </span>
          ),
        },
        { head: messages.attempts, value: ({ attempts }) => attempts, number: true },
        { head: messages.created, value: ({ created_at }) => new Date(created_at) },
        {
          head: messages.request,
          value: ({ log_id }) => log_id,
          cell: ({ log_id }) =>
            may('LOGS:VIEW_LOG') && (
              <Link to="/logs" search={{ entry: log_id }} className="text-accent hover:underline">
                {messages.viewEntry}
              </Link>
            ),
        },
        {
          head: common.actions,
          cell: ({ ticket_id, status: state }) =>
            state === 'dead' &&
            may('CONNECTORS:UPDATE_CONNECTOR') && (
              <Button
                small
                busy={retry.isPending && retry.variables === ticket_id}
                onClick={() => retry.mutate(ticket_id)}
              >
                {messages.retry}
              </Button>
            ),
        },
      ]}
    />
  );
}

/** A queued ticket that failed before is tried again. */
const stateOf = ({ status, attempts }: Pick<Ticket, 'status' | 'attempts'>): string =>
  status === 'queued' && attempts > 0 ? messages.retrying : (messages.states[status] ?? status);

/** Says that there are no tickets, or none with the selected status. */
function NoTickets({ status }: { status: string | undefined }) {
  if (status !== undefined)
    return (
      <Empty
        title={messages.noneWith(messages.states[status] ?? status)}
        action={
          <Link to="/tickets" className="text-body text-accent underline">
            {messages.showAll}
          </Link>
        }
      />
    );
  return (
    <Empty
      title={messages.emptyTitle}
      action={
        <Link to="/connectors" className="text-body text-accent underline">
          {messages.emptyAction}
        </Link>
      }
    >
      {messages.emptyBody}
    </Empty>
  );
}

function TicketName({ of: { title, key, url, comments_on } }: { of: Ticket }) {
  return (
    <span className="block max-w-lg">
      {comments_on && <span className="block text-xs text-quiet">{messages.comment}</span>}
      <span className="font-medium">{title}</span>
      {key && (
        <span className="block text-xs">
          {url ? (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="inline-flex items-center gap-1 text-accent hover:underline"
            >
              {key}
              <ExternalLink aria-hidden size={11} />
            </a>
          ) : (
            key
          )}
        </span>
      )}
    </span>
  );
}
