import { useEffect, useState } from 'react';
import type { Schema } from '@/api/client';
import { noteBroken, untilConnected } from '@/api/connection';
import { ApiError } from '@/api/error';
import { queries } from '@/api/queries';
import { events } from '@/api/stream';
import { asQuery, type LogFilters } from './filters';

export type LogEntry = Schema<'LogRecord'>;
export type LogEntryDetails = Schema<'LogDetails'>;
export type Tail = {
  waiting: LogEntry[];
  state: 'live' | 'connecting' | 'failed';
  error: string | null;
  take: () => LogEntry[];
};

const MAX_WAITING = 5_000;
const RECONNECT_MS = 3_000;

/** Follows the log while `on`. New entries wait, newest first, until they are taken; at most 5,000 are kept. */
export function useTail(filters: LogFilters, on: boolean): Tail {
  const [waiting, setWaiting] = useState<LogEntry[]>([]);
  const [state, setState] = useState<Tail['state']>('connecting');
  const [error, setError] = useState<string | null>(null);
  const query = asQuery(filters);

  useEffect(() => {
    setWaiting([]);
    if (!on) return;
    const stop = new AbortController();
    let last: string | null = null;
    let wasBroken = false;
    const opened = () => {
      setState('live');
      // Without an event to continue after, what was written meanwhile is only in the pages.
      if (wasBroken && last === null) void queries.invalidateQueries({ queryKey: ['logs', 'pages'] });
    };
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          for await (const event of events(`/api/logs/stream?${query}`, last, stop.signal, opened)) {
            last = event.id;
            const entry = JSON.parse(event.data) as LogEntry;
            setWaiting((entries) => [entry, ...entries].slice(0, MAX_WAITING));
          }
        } catch (error) {
          if (stop.signal.aborted) return;
          setError(error instanceof Error ? error.message : String(error));
          if (error instanceof ApiError && error.status < 500) return setState('failed');
          noteBroken();
        }
        wasBroken = true;
        setState('connecting');
        await new Promise((done) => setTimeout(done, RECONNECT_MS));
        await untilConnected();
      }
    };
    void follow();
    return () => stop.abort();
  }, [query, on]);

  const take = () => {
    setWaiting([]);
    return waiting;
  };
  return { waiting, state, error, take };
}
