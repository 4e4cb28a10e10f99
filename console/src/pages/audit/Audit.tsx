import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { fill } from '@/lib/fill';
import { moment } from '@/lib/format';
import { ENTRY_PERIODS, startOf } from '@/lib/period';
import { messages } from '@/messages/audit';
import { common } from '@/messages/common';
import { Button } from '@/ui/Button';
import { Caller } from '@/ui/Caller';
import { Empty } from '@/ui/Empty';
import { Input } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { PeriodPicker } from '@/ui/PeriodPicker';
import { type Column, Table } from '@/ui/Table';

const route = getRouteApi('/app/audit');

const COLUMNS: Column<Schema<'AuditRecord'>>[] = [
  { head: messages.number, value: ({ sequence }) => sequence, number: true },
  {
    head: messages.time,
    value: ({ created_at }) => new Date(created_at),
    cell: ({ created_at }) => <span className="tabular whitespace-nowrap">{moment(created_at)}</span>,
  },
  {
    head: messages.principal,
    value: ({ principal }) => principal,
    cell: ({ principal, address }) => (
      <span className="whitespace-nowrap">
        <Caller principal={principal} />
        <span className="block text-xs text-quiet">{address}</span>
      </span>
    ),
  },
  {
    head: messages.action,
    value: ({ action }) => action,
    cell: ({ action }) => <code className="font-mono text-xs">{action}</code>,
  },
  {
    head: messages.target,
    value: ({ target }) => target,
    cell: ({ target }) => <code className="block min-w-60 font-mono text-xs break-all">{target}</code>,
  },
  {
    head: messages.details,
    value: ({ details }) => JSON.stringify(details),
    cell: ({ details }) => <Details of={details as Record<string, unknown>} />,
  },
];

/** Shows who did what, from where, and what changed. */
export function Audit() {
  const { action, principal, last, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['audit', action, principal, last, from, to],
    queryFn: ({ pageParam }) => {
      const start = from ?? startOf(last, new Date())?.toISOString();
      const query = { action, principal, from: start, to, limit: 100, cursor: pageParam };
      return answer(api.GET('/api/audit', { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const filter = (form: FormData) =>
    void navigate({
      search: (old) => ({
        ...old,
        action: String(form.get('action')).trim() || undefined,
        principal: String(form.get('principal')).trim() || undefined,
      }),
    });
  return (
    <Page
      title={messages.title}
      intro={fill(messages.intro, { command: <code className="font-mono text-xs">{messages.command}</code> })}
      actions={
        <PeriodPicker
          period={{ last, from, to }}
          offered={ENTRY_PERIODS}
          onChange={(picked) => void navigate({ search: { action, principal, ...picked } })}
        />
      }
    >
      <Card>
        <search>
          <form
            key={`${action}|${principal}`}
            className="mb-3 flex flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              filter(new FormData(event.currentTarget));
            }}
          >
            <Input
              label={messages.action}
              name="action"
              boxClass="w-72"
              defaultValue={action}
              placeholder={messages.actionPlaceholder}
              className="font-mono text-xs"
            />
            <Input
              label={messages.principal}
              name="principal"
              boxClass="w-52"
              defaultValue={principal}
              placeholder={messages.principalPlaceholder}
              className="font-mono text-xs"
            />
            <Button type="submit">{common.filter}</Button>
          </form>
        </search>
        <Loaded query={query} lines={10}>
          {({ pages }) => (
            <Table
              name={messages.title}
              rows={pages.flatMap(({ entries }) => entries)}
              id={({ entry_id }) => entry_id}
              more={query.hasNextPage}
              empty={<Empty title={common.noResults} />}
              columns={COLUMNS}
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

/** Formats a detail. Changes are shown as `from → to`. */
function display(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return common.none;
  if (Array.isArray(value)) return value.map(display).join(', ');
  if (typeof value === 'object' && 'from' in value && 'to' in value)
    return `${display(value.from)} → ${display(value.to)}`;
  return JSON.stringify(value);
}

function Details({ of }: { of: Record<string, unknown> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return null;
  return (
    <dl className="min-w-56 text-xs">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt className="inline text-quiet">{name}: </dt>
          <dd className="inline break-all">{display(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
