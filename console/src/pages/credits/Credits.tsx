import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '@/api/client';
import { Line } from '@/charts/Line';
import { count, moment, words } from '@/lib/format';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Table } from '@/ui/Table';

/** The balance, and every booking. */
export function Credits() {
  const may = usePermission();
  const query = useInfiniteQuery({
    queryKey: ['credits', 'ledger'],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/credits', { params: { query: { limit: 100, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  return (
    <Page
      title="Credits"
      intro={
        <>
          Every judged request costs credits; without any, requests are refused. Operators top them up with{' '}
          <code className="font-mono text-xs">guardengine admin set-credits</code>.
        </>
      }
    >
      <Loaded query={query} lines={8}>
        {({ pages }) => {
          const rows = pages.flatMap(({ ledger }) => ledger);
          const points = rows
            .map(({ created_at, balance_after }) => ({ at: Date.parse(created_at), value: balance_after }))
            .reverse();
          return (
            <>
              <Card title="Balance">
                <p className="tabular text-3xl font-semibold tracking-tight">{count(pages[0]?.balance ?? 0)}</p>
                <Line points={points} said={`Balance over the ${rows.length} bookings shown below`} />
              </Card>
              <Card title="Ledger">
                <Table
                  name="Ledger"
                  rows={rows}
                  id={({ entry_id }) => entry_id}
                  empty={
                    <Empty title="Nothing was booked yet">
                      Bookings appear here with the request that they paid for.
                    </Empty>
                  }
                  columns={[
                    {
                      head: 'Time',
                      cell: ({ created_at }) => <span className="tabular whitespace-nowrap">{moment(created_at)}</span>,
                    },
                    { head: 'Operation', cell: ({ operation }) => words(operation) },
                    { head: 'Amount', cell: ({ amount }) => count(amount).replace('-', '−'), number: true },
                    { head: 'Balance after', cell: ({ balance_after }) => count(balance_after), number: true },
                    {
                      head: 'Request',
                      cell: ({ log_id }) =>
                        log_id &&
                        may('LOGS:VIEW_LOG') && (
                          <Link to="/logs" search={{ row: log_id }} className="text-accent hover:underline">
                            See request
                          </Link>
                        ),
                    },
                  ]}
                />
                {query.hasNextPage && (
                  <Button
                    small
                    className="mt-3"
                    busy={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    Older bookings
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
