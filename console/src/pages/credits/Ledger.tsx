import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { alerts } from '@/api/data';
import type { Line } from '@/charts/series';
import { TimeChart } from '@/charts/TimeChart';
import { count, moment, words } from '@/lib/format';
import type { Range } from '@/lib/period';
import { messages } from '@/messages/credits';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { type Column, Table } from '@/ui/Table';
import { ExportLedger } from './ExportLedger';

type LedgerEntry = Schema<'LedgerEntry'>;

const PAGE = 100;

const COLUMNS: Column<LedgerEntry>[] = [
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

/** The changes of the balance in a period, newest first. */
export function Ledger({ range }: { range: Range }) {
  const lines = useAlertLines();
  const query = useInfiniteQuery({
    queryKey: ['credits', 'ledger', range.from, range.to],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/credits', { params: { query: { ...range, limit: PAGE, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  return (
    <Card title={messages.ledger} actions={<ExportLedger range={range} columns={COLUMNS} />}>
      <Loaded query={query} lines={8}>
        {({ pages }) => {
          const rows = pages.flatMap(({ ledger }) => ledger);
          return (
            <>
              <Balance entries={rows} lines={lines} />
              <div className="mt-3">
                <Table
                  name={messages.ledger}
                  rows={rows}
                  id={({ entry_id }) => entry_id}
                  more={query.hasNextPage}
                  empty={<Empty title={messages.emptyTitle}>{messages.emptyBody}</Empty>}
                  columns={COLUMNS}
                />
              </div>
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
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** The balances below which alert rules fire. */
function useAlertLines(): Line[] {
  const may = usePermission();
  const rules = useQuery({ ...alerts, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data;
  return useMemo(() => {
    const balances = (rules ?? []).flatMap(({ enabled, condition }) =>
      enabled && condition.type === 'credits_low' ? [condition.balance] : [],
    );
    return [...new Set(balances)].map((value) => ({
      id: String(value),
      value,
      label: messages.alertBelow(count(value)),
    }));
  }, [rules]);
}

/** The balance after each of the loaded charges. */
function Balance({ entries, lines }: { entries: LedgerEntry[]; lines: Line[] }) {
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
    <TimeChart
      name={messages.chart(bins.length, first.label)}
      shape="steps"
      height={150}
      bins={bins}
      series={series}
      lines={lines}
    />
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
