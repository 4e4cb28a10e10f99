import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { Line } from '@/charts/Line';
import { fill } from '@/lib/fill';
import { count, moment, words } from '@/lib/format';
import { messages } from '@/messages/credits';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { type Column, Table } from '@/ui/Table';

const COLUMNS: Column<Schema<'LedgerEntry'>>[] = [
  {
    head: messages.time,
    value: ({ created_at }) => new Date(created_at),
    cell: ({ created_at }) => <span className="tabular whitespace-nowrap">{moment(created_at)}</span>,
  },
  { head: messages.operation, value: ({ operation }) => words(operation) },
  {
    head: messages.amount,
    value: ({ amount }) => amount,
    cell: ({ amount }) => count(amount).replace('-', '−'),
    number: true,
  },
  {
    head: messages.balanceAfter,
    value: ({ balance_after }) => balance_after,
    cell: ({ balance_after }) => count(balance_after),
    number: true,
  },
  {
    head: messages.request,
    value: ({ log_id }) => log_id,
    cell: ({ log_id }) => log_id && <Request id={log_id} />,
  },
];

/** Shows the balance and the ledger. */
export function Credits() {
  const query = useInfiniteQuery({
    queryKey: ['credits', 'ledger'],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/credits', { params: { query: { limit: 100, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  return (
    <Page
      title={messages.title}
      intro={fill(messages.intro, { command: <code className="font-mono text-xs">{messages.command}</code> })}
    >
      <Loaded query={query} lines={8}>
        {({ pages }) => {
          const rows = pages.flatMap(({ ledger }) => ledger);
          const points = rows
            .map(({ created_at, balance_after }) => ({ at: Date.parse(created_at), value: balance_after }))
            .reverse();
          const first = points[0];
          return (
            <>
              <Card title={messages.balance}>
                <p className="tabular mb-3 text-3xl font-semibold tracking-tight">{count(pages[0]?.balance ?? 0)}</p>
                {first && (
                  <Line
                    points={points}
                    from={first.at}
                    to={Date.now()}
                    description={messages.chart(rows.length, moment(new Date(first.at).toISOString()))}
                  />
                )}
              </Card>
              {pages[0] && <Prices of={pages[0]} />}
              <Card title={messages.ledger}>
                <Table
                  name={messages.ledger}
                  rows={rows}
                  id={({ entry_id }) => entry_id}
                  more={query.hasNextPage}
                  empty={<Empty title={messages.emptyTitle}>{messages.emptyBody}</Empty>}
                  columns={COLUMNS}
                />
                {query.hasNextPage && (
                  <Button
                    small
                    className="mt-3"
                    busy={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {messages.older}
                  </Button>
                )}
              </Card>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Prices({ of: { cost, unit } }: { of: Schema<'Credits'> }) {
  const operations = Object.keys(messages.operations) as (keyof typeof messages.operations)[];
  return (
    <Card title={messages.prices} note={unit === 0 ? messages.perCall : messages.perUnit(count(unit))}>
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-body">
        {operations.map((operation) => (
          <div key={operation}>
            <dt className="text-xs text-quiet">{messages.operations[operation]}</dt>
            <dd className="tabular font-medium">{messages.price(cost[operation])}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Request({ id }: { id: string }) {
  const may = usePermission();
  return (
    may('LOGS:VIEW_LOG') && (
      <Link to="/logs" search={{ entry: id }} className="text-accent hover:underline">
        {messages.viewRequest}
      </Link>
    )
  );
}
