import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { count, milliseconds } from '@/lib/format';
import { messages as text } from '@/messages/gateway';
import { EntryLink } from '@/pages/logs/EntryLink';
import type { LogEntry } from '@/pages/logs/useTail';
import { Caller } from '@/ui/Caller';
import { Empty } from '@/ui/Empty';
import { Choice } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { type Column, Table } from '@/ui/Table';

const SHOWN = 20;
const REFRESH_MS = 5_000;

type Surface = keyof typeof text.interfaces;

const tokens = (head: string, of: (entry: LogEntry) => number | null | undefined): Column<LogEntry> => ({
  head,
  value: of,
  cell: (entry) => (of(entry) == null ? '–' : count(of(entry) ?? 0)),
  number: true,
});

const COLUMNS: Column<LogEntry>[] = [
  {
    head: text.time,
    value: ({ created_at }) => new Date(created_at),
    cell: (entry) => <EntryLink {...entry} label={text.open} />,
  },
  { head: text.decision, value: ({ decision }) => decision, cell: ({ decision }) => <Decision of={decision} /> },
  { head: text.project, value: ({ projectName }) => projectName },
  {
    head: text.caller,
    value: ({ principal }) => principal,
    cell: ({ principal }) => <Caller principal={principal} />,
  },
  tokens(text.promptTokens, ({ prompt_tokens }) => prompt_tokens),
  tokens(text.completionTokens, ({ completion_tokens }) => completion_tokens),
  {
    head: text.guardTime,
    value: ({ processing_time_ms }) => processing_time_ms,
    cell: ({ processing_time_ms }) => milliseconds(processing_time_ms),
    number: true,
  },
  {
    head: text.modelTime,
    value: ({ upstream_time_ms }) => upstream_time_ms,
    cell: ({ upstream_time_ms }) => (upstream_time_ms == null ? '–' : milliseconds(upstream_time_ms)),
    number: true,
  },
];

/** The newest calls through an interface, with tokens and times. */
export function Calls() {
  const [surface, setSurface] = useState<Surface>('gateway');
  const query = useQuery({
    queryKey: ['logs', 'calls', surface],
    queryFn: async () =>
      (await answer(api.GET('/api/logs', { params: { query: { surface: [surface], limit: SHOWN } } }))).logs,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Card
      title={text.calls}
      actions={
        <>
          <Choice
            aria-label={text.interface}
            className="min-h-7! py-0! text-xs!"
            value={surface}
            onChange={(event) => setSurface(event.target.value as Surface)}
          >
            {Object.entries(text.interfaces).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Choice>
          <Link to="/logs" search={{ surface }} className="text-xs text-accent hover:underline">
            {text.allCalls}
          </Link>
        </>
      }
    >
      <Loaded query={query}>
        {(entries) => (
          <Table
            name={text.calls}
            rows={entries}
            id={({ log_id }) => log_id}
            empty={<Empty title={text.noCallsTitle}>{text.noCallsBody}</Empty>}
            columns={COLUMNS}
          />
        )}
      </Loaded>
    </Card>
  );
}
