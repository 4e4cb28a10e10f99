import { useEffect, useState } from 'react';
import type { Schema } from '@/api/client';
import { ApiError } from '@/api/error';
import { events } from '@/api/stream';
import { asQuery, type LogFilters } from './filters';

export type Row = Schema<'LogRecord'>;
export type WholeRow = Schema<'WholeLog'>;
export type Tail = { waiting: Row[]; state: 'live' | 'connecting' | 'failed'; fault: string | null; take: () => Row[] };

const KEPT = 5_000;
const AGAIN = 3_000;

/** Follows the log while `on`: rows wait, newest first, until they are taken. A pause loses none, up to 5,000. */
export function useTail(filters: LogFilters, on: boolean): Tail {
  const [waiting, setWaiting] = useState<Row[]>([]);
  const [state, setState] = useState<Tail['state']>('connecting');
  const [fault, setFault] = useState<string | null>(null);
  const query = asQuery(filters);

  useEffect(() => {
    setWaiting([]);
    if (!on) return;
    const stop = new AbortController();
    let last: string | null = null;
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          setState('live');
          for await (const event of events(`/api/logs/stream?${query}`, last, stop.signal)) {
            last = event.id;
            const row = JSON.parse(event.data) as Row;
            setWaiting((rows) => [row, ...rows].slice(0, KEPT));
          }
        } catch (error) {
          if (stop.signal.aborted) return;
          setFault(error instanceof Error ? error.message : String(error));
          if (error instanceof ApiError && error.status < 500) return setState('failed');
        }
        setState('connecting');
        await new Promise((done) => setTimeout(done, AGAIN));
      }
    };
    void follow();
    return () => stop.abort();
  }, [query, on]);

  const take = () => {
    setWaiting([]);
    return waiting;
  };
  return { waiting, state, fault, take };
}
