import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '@/messages/common';
import { ErrorNote } from './ErrorNote';

/** A placeholder while content loads. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" className="space-y-2.5 py-1">
      <span className="sr-only">{common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholder lines are all alike.
          key={line}
          className="h-4 animate-pulse rounded bg-sunken"
          style={{ width: `${92 - ((line * 17) % 45)}%` }}
        />
      ))}
    </div>
  );
}

/** Renders the data of a query, or a placeholder or its error. */
export function Loaded<T>({
  query,
  children,
  lines,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  lines?: number;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  return <Waiting lines={lines} />;
}
