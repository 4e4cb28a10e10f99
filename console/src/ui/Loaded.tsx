import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { common } from '@/messages/common';
import { ErrorNote } from './ErrorNote';

/** Lines where a text is going to be. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" className="space-y-2.5 py-1">
      <span className="sr-only">{common.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className="h-4 animate-pulse rounded bg-sunken"
          style={{ width: `${92 - ((line * 17) % 45)}%` }}
        />
      ))}
    </div>
  );
}

/** What a query answered; until then that it is waited for, and what went wrong instead. */
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
