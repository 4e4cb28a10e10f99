import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answer, api } from '@/api/client';
import { moment } from '@/lib/format';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Input } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Table } from '@/ui/Table';

const route = getRouteApi('/app/audit');

/** Who did what, from where, and what changed. */
export function Audit() {
  const { action, principal } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['audit', action, principal],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/audit', { params: { query: { action, principal, limit: 100, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const filter = (form: FormData) =>
    void navigate({
      search: {
        action: String(form.get('action')).trim() || undefined,
        principal: String(form.get('principal')).trim() || undefined,
      },
    });
  return (
    <Page
      title="Audit trail"
      intro={
        <>
          Every management call, sign-in and unmasking. Entries are chained by their hashes:{' '}
          <code className="font-mono text-xs">guardengine audit verify</code> tells whether one was altered.
        </>
      }
    >
      <Card>
        <form
          key={`${action}|${principal}`}
          role="search"
          className="mb-3 flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            filter(new FormData(event.currentTarget));
          }}
        >
          <Input
            label="Action"
            name="action"
            boxClass="w-72"
            defaultValue={action}
            placeholder="FIREWALL_POLICIES:UPDATE_POLICY"
            className="font-mono text-xs"
          />
          <Input
            label="Principal"
            name="principal"
            boxClass="w-52"
            defaultValue={principal}
            placeholder="user:admin"
            className="font-mono text-xs"
          />
          <Button type="submit">Filter</Button>
        </form>
        <Loaded query={query} lines={10}>
          {({ pages }) => (
            <Table
              name="Audit trail"
              rows={pages.flatMap(({ entries }) => entries)}
              id={({ entry_id }) => entry_id}
              empty={<Empty title="No entry passes these filters" />}
              columns={[
                { head: 'No.', cell: ({ sequence }) => sequence, number: true },
                {
                  head: 'Time',
                  cell: ({ created_at }) => <span className="tabular whitespace-nowrap">{moment(created_at)}</span>,
                },
                {
                  head: 'Who',
                  cell: ({ principal: who, address }) => (
                    <span className="whitespace-nowrap">
                      {who}
                      <span className="block text-xs text-quiet">{address}</span>
                    </span>
                  ),
                },
                { head: 'Did', cell: ({ action: did }) => <code className="font-mono text-xs">{did}</code> },
                { head: 'To', cell: ({ target }) => <code className="font-mono text-xs break-all">{target}</code> },
                { head: 'Details', cell: ({ details }) => <Details of={details as Record<string, unknown>} /> },
              ]}
            />
          )}
        </Loaded>
        {query.hasNextPage && (
          <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older entries
          </Button>
        )}
      </Card>
    </Page>
  );
}

/** A change reads as one: what was, and what became of it. */
function said(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(said).join(', ');
  if (typeof value === 'object' && 'from' in value && 'to' in value) return `${said(value.from)} → ${said(value.to)}`;
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
          <dd className="inline break-all">{said(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
