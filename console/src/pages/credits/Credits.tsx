import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { TimeChart } from '@/charts/TimeChart';
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
          return (
            <>
              <Card title={messages.balance}>
                <p className="tabular mb-3 text-3xl font-semibold tracking-tight">{count(pages[0]?.balance ?? 0)}</p>
                <Balance entries={rows} />
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

/** The balance after each of the loaded charges. */
function Balance({ entries }: { entries: Schema<'LedgerEntry'>[] }) {
  const { bins, series } = useMemo(() => {
    const ordered = entries.toReversed();
    const now = new Date().toISOString();
    const bins = ordered.map(({ created_at: from, balance_after }, index) => {
      const label = moment(from);
      const to = ordered[index + 1]?.created_at ?? now;
      return { from, to, label, description: messages.balanceAt(label, count(balance_after)) };
    });
    const values = ordered.map(({ balance_after }) => balance_after);
    return { bins, series: [{ id: 'balance', name: messages.balance, color: 'var(--accent)', values }] };
  }, [entries]);
  const first = bins[0];
  if (first === undefined) return null;
  return (
    <TimeChart name={messages.chart(bins.length, first.label)} shape="steps" height={150} bins={bins} series={series} />
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
