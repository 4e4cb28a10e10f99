import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { answer, api } from '@/api/client';
import { clock, words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages as text } from '@/messages/connect';
import type { LogEntry } from '@/pages/logs/useTail';
import { usePermission } from '@/session/me';
import { Decision } from '@/ui/Pill';

type Filter = { principal?: string[]; surface?: string[]; project?: string; from?: string };

const SHOWN = 5;
const INTERVAL_MS = 2_000;

/** The newest calls that match, as they arrive. */
export function Arrivals({ filter, onArrived }: { filter: Filter; onArrived?: (entries: LogEntry[]) => void }) {
  const may = usePermission();
  const { data } = useQuery({
    queryKey: ['logs', 'arrivals', filter],
    queryFn: async () => (await answer(api.GET('/api/logs', { params: { query: { ...filter, limit: SHOWN } } }))).logs,
    refetchInterval: INTERVAL_MS,
    enabled: may('LOGS:VIEW_LOG'),
  });
  const entries = data ?? [];
  const report = useEffectEvent(() => data && data.length > 0 && onArrived?.(data));
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports each answer once.
  useEffect(() => void report(), [data]);
  if (entries.length === 0)
    return (
      <div role="status" className="flex items-start gap-3 rounded-md border border-dashed border-edge px-4 py-3">
        <LoaderCircle aria-hidden size={18} className="mt-0.5 animate-spin text-quiet" />
        <div className="text-body">
          <p className="font-medium">{text.waiting}</p>
          <p className="text-quiet">{text.waitingBody}</p>
        </div>
      </div>
    );
  const isBlocked = entries.some(({ decision }) => decision === 'block');
  return (
    <div className="rounded-md border border-allow/50 bg-allow-soft px-4 py-3">
      <p role="status" className="flex items-center gap-2 text-body font-medium text-allow">
        <CircleCheck aria-hidden size={16} />
        {isBlocked ? text.isBlocked : text.arrived(entries.length)}
      </p>
      <ul aria-label={text.arrivals} className="mt-2 space-y-1 text-body">
        {entries.map((entry) => (
          <li key={entry.log_id} className="flex flex-wrap items-center gap-x-3">
            <time dateTime={entry.created_at} className="tabular">
              {clock(Date.parse(entry.created_at))}
            </time>
            <Decision of={entry.decision} />
            <span>{words(entry.surface)}</span>
            <span className="min-w-0 flex-1 truncate text-quiet max-sm:order-last max-sm:basis-full">
              {entry.text ?? common.notStored}
            </span>
            <Link
              to="/logs"
              search={{ entry: entry.log_id }}
              className="inline-flex min-h-6 items-center text-accent underline max-sm:ml-auto"
            >
              {text.open}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
