import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { connectors } from '@/api/data';
import { queries } from '@/api/queries';
import { common } from '@/messages/common';
import { messages } from '@/messages/tickets';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Table } from '@/ui/Table';
import { columnsOf } from './columns';
import { retry, type Ticket, ticketPages } from './data';
import { RetryAll } from './RetryAll';

const route = getRouteApi('/app/tickets');
const STATES = [['', messages.allStates] as const, ...Object.entries(messages.states)];

/** Lists the tickets that guardrails raised in other systems. */
export function Tickets() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const may = usePermission();
  const query = useInfiniteQuery(ticketPages(filters));
  const known = useQuery(connectors).data ?? [];
  const tickets = query.data?.pages.flatMap((page) => page.tickets) ?? [];
  const set = (change: typeof filters) => void navigate({ search: (old) => ({ ...old, ...change }) });
  const mayRetry = may('CONNECTORS:UPDATE_CONNECTOR') && tickets.some(({ status }) => status === 'dead');
  return (
    <Page
      title={messages.title}
      intro={messages.intro}
      actions={
        <>
          {mayRetry && <RetryAll connector={filters.connector} />}
          <Select
            label={messages.connector}
            hidden
            boxClass="w-48"
            value={filters.connector ?? ''}
            options={[['', messages.allConnectors], ...known.map(({ id, name }) => [id, name] as const)]}
            onChange={(event) => set({ connector: event.target.value || undefined })}
          />
          <Select
            label={common.status}
            hidden
            boxClass="w-48"
            value={filters.status ?? ''}
            options={STATES}
            onChange={(event) => set({ status: event.target.value || undefined })}
          />
        </>
      }
    >
      <Card>
        <Loaded query={query}>
          {() => (
            <TicketTable
              tickets={tickets}
              more={query.hasNextPage}
              empty={<NoTickets {...filters} />}
              connectorName={(id) => known.find((connector) => connector.id === id)?.name}
            />
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

type TableProps = {
  tickets: Ticket[];
  more: boolean;
  empty: React.ReactNode;
  connectorName: (id: string) => string | undefined;
};

function TicketTable({ tickets, more, empty, connectorName }: TableProps) {
  const may = usePermission();
  const run = useMutation({
    mutationFn: retry,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tickets'] }),
  });
  const action = ({ ticket_id, status, title }: Ticket) =>
    status === 'dead' &&
    may('CONNECTORS:UPDATE_CONNECTOR') && (
      <Button small busy={run.isPending && run.variables === ticket_id} onClick={() => run.mutate(ticket_id)}>
        {messages.retry}
        <span className="sr-only"> {title}</span>
      </Button>
    );
  return (
    <Table
      name={messages.title}
      rows={tickets}
      id={({ ticket_id }) => ticket_id}
      more={more}
      empty={empty}
      columns={columnsOf({ mayOpen: may('LOGS:VIEW_LOG'), connectorName, action })}
    />
  );
}

/** Says that there are no tickets, or none that match the filters. */
function NoTickets({ status, connector }: { status?: string; connector?: string }) {
  if (status !== undefined || connector !== undefined)
    return (
      <Empty
        title={status === undefined ? messages.noneHere : messages.noneWith(messages.states[status] ?? status)}
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
