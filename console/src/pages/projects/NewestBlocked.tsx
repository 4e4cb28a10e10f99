import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '@/api/client';
import { words } from '@/lib/format';
import { messages } from '@/messages/projects';
import { EntryLink } from '@/pages/logs/EntryLink';
import { declared, type LogFilters } from '@/pages/logs/filters';
import type { LogEntry } from '@/pages/logs/useTail';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { type Column, Table } from '@/ui/Table';

const text = messages.page;
const SHOWN = 10;
const REFRESH_MS = 15_000;

const COLUMNS: Column<LogEntry>[] = [
  {
    head: text.time,
    value: ({ created_at }) => new Date(created_at),
    cell: (entry) => <EntryLink {...entry} label={text.open} />,
  },
  {
    head: text.guardrails,
    value: ({ triggered_guardrails }) => triggered_guardrails.map(({ name }) => words(name)).join(', '),
  },
  { head: text.user, value: ({ username }) => username },
  { head: text.application, value: ({ source_app }) => source_app },
  { head: text.reason, value: ({ reason }) => reason, className: 'min-w-48' },
];

/** The newest entries that match the filters for blocked requests. */
export function NewestBlocked({ filters }: { filters: LogFilters }) {
  const query = useQuery({
    queryKey: ['logs', 'blocked', filters],
    queryFn: async () =>
      (await answer(api.GET('/api/logs', { params: { query: { ...declared(filters), limit: SHOWN } } }))).logs,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Card
      title={text.newestBlocked}
      actions={
        <Link to="/logs" search={filters} className="text-xs text-accent hover:underline">
          {text.allBlocked}
        </Link>
      }
    >
      <Loaded query={query}>
        {(entries) => (
          <Table
            name={text.newestBlocked}
            rows={entries}
            id={({ log_id }) => log_id}
            empty={<Empty title={text.noBlocked} />}
            columns={COLUMNS}
          />
        )}
      </Loaded>
    </Card>
  );
}
