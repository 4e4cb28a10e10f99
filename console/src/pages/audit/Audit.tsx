import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { shortMoment } from '@/lib/format';
import { ENTRY_PERIODS } from '@/lib/period';
import { messages } from '@/messages/audit';
import { Button } from '@/ui/Button';
import { Caller } from '@/ui/Caller';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { PeriodPicker } from '@/ui/PeriodPicker';
import { type Column, ROW_LINK, Table } from '@/ui/Table';
import { AuditDrawer } from './AuditDrawer';
import { Changes } from './Changes';
import { type AuditEntry, type AuditFilters, actionName, auditPages } from './data';
import { Export } from './Export';
import { Filters } from './Filters';
import { Target } from './Target';
import { useTargetNames } from './targets';
import { Verify } from './Verify';

const route = getRouteApi('/app/audit');
const SHOWN_CHANGES = 3;

/** Shows who did what, from where, and what changed. */
export function Audit() {
  const { entry, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const [isVerifying, setVerifying] = useState(false);
  const query = useInfiniteQuery(auditPages(filters));
  const nameOf = useTargetNames();
  const set = (change: Partial<AuditFilters>) => void navigate({ search: (old) => ({ ...old, ...change }) });
  const open = (sequence: number | undefined) =>
    void navigate({ search: (old) => ({ ...old, entry: sequence }), replace: true });
  return (
    <Page
      title={messages.title}
      intro={messages.intro}
      actions={
        <>
          <PeriodPicker
            period={filters}
            offered={ENTRY_PERIODS}
            onChange={({ last, from, to }) => set({ last, from, to })}
          />
          <Button onClick={() => setVerifying(true)}>
            <ShieldCheck aria-hidden size={14} />
            {messages.verify}
          </Button>
          <Export filters={filters} />
        </>
      }
    >
      <Card>
        <Filters filters={filters} onChange={set} />
        <Loaded query={query} lines={10}>
          {({ pages }) => (
            <Table
              name={messages.title}
              rows={pages.flatMap(({ entries }) => entries)}
              id={({ entry_id }) => entry_id}
              more={query.hasNextPage}
              empty={<NoEntries />}
              columns={columnsOf(nameOf)}
            />
          )}
        </Loaded>
        {query.hasNextPage && (
          <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {messages.older}
          </Button>
        )}
      </Card>
      {entry !== undefined && <AuditDrawer sequence={entry} nameOf={nameOf} onPick={open} />}
      {isVerifying && (
        <Verify
          onClose={() => setVerifying(false)}
          onOpen={(sequence) => {
            setVerifying(false);
            open(sequence);
          }}
        />
      )}
    </Page>
  );
}

function NoEntries() {
  return (
    <Empty
      title={messages.empty}
      action={
        <Link to="/audit" className="text-body text-accent underline">
          {messages.clear}
        </Link>
      }
    >
      {messages.emptyBody}
    </Empty>
  );
}

const columnsOf = (nameOf: (entry: AuditEntry) => string | undefined): Column<AuditEntry>[] => [
  {
    head: messages.time,
    value: ({ created_at }) => new Date(created_at),
    cell: ({ created_at, sequence }) => (
      <Link
        from="/audit"
        search={(old) => ({ ...old, entry: sequence })}
        replace
        className={`tabular whitespace-nowrap ${ROW_LINK}`}
      >
        {shortMoment(created_at)}
      </Link>
    ),
  },
  {
    head: messages.principal,
    value: ({ principal }) => principal,
    cell: ({ principal, address }) => (
      <span className="wrap-anywhere">
        <Caller principal={principal} />
        <span className="block text-xs text-quiet">{address}</span>
      </span>
    ),
  },
  {
    head: messages.action,
    value: ({ action }) => action,
    cell: ({ action }) => <span title={action}>{actionName(action)}</span>,
  },
  {
    head: messages.target,
    value: (entry) => nameOf(entry) ?? entry.target,
    cell: (entry) => <Target entry={entry} name={nameOf(entry)} />,
    className: 'sm:max-w-64',
  },
  {
    head: messages.changes,
    value: ({ details }) => JSON.stringify(details),
    cell: ({ details }) => <Changes of={details as Record<string, unknown>} limit={SHOWN_CHANGES} />,
  },
  { head: messages.number, value: ({ sequence }) => sequence, number: true },
];
