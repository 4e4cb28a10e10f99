import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { isPast, type LogFilters, logPages } from './filters';
import { type LogEntry, useTail } from './useTail';

/** Combines the loaded pages with live entries. New entries wait while `hold` is set, until `showNew` is called. */
export function useEntries(filters: LogFilters, hold: boolean) {
  const pages = useInfiniteQuery(logPages(filters));
  const tail = useTail(filters, !isPast(filters));
  const [fresh, setFresh] = useState<LogEntry[]>([]);
  const key = JSON.stringify(filters);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters start with an empty list.
  useEffect(() => setFresh([]), [key]);
  const showNew = () => setFresh((entries) => [...tail.take(), ...entries]);
  useEffect(() => {
    if (!hold && tail.waiting.length > 0) showNew();
  });

  const entries = useMemo(
    () => distinct([...(pages.data?.pages.flatMap(({ logs }) => logs) ?? []), ...fresh]),
    [fresh, pages.data],
  );
  return { entries, pages, tail, showNew };
}

/** Removes entries that came both with a page and live. Pages have later feedback, so they come first. */
function distinct(entries: LogEntry[]): LogEntry[] {
  const seen = new Set<string>();
  return entries
    .filter(({ log_id }) => !seen.has(log_id) && seen.add(log_id))
    .sort((a, b) => (a.log_id < b.log_id ? 1 : -1));
}
