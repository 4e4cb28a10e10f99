import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useConnection } from '@/api/connection';
import { describeError } from '@/api/error';
import { clock } from '@/lib/format';
import { common } from '@/messages/common';
import { Button } from './Button';
import { ErrorNote } from './ErrorNote';
import { useLoading } from './loading';

/** A placeholder while content loads. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  const { isLost } = useConnection();
  useLoading('waiting');
  return (
    <div role="status" className="space-y-2.5 py-1">
      {isLost ? (
        <p className="text-body text-quiet">{common.waitingForServer}</p>
      ) : (
        <span className="sr-only">{common.loading}</span>
      )}
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

/** Renders the data of a query, or a placeholder or its error. Data that could not be updated is marked. */
export function Loaded<T>({
  query,
  children,
  lines,
}: {
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  lines?: number;
}) {
  const { isLost } = useConnection();
  useLoading(query.data === undefined ? null : 'loaded');
  if (query.data !== undefined)
    return (
      <>
        <NotUpdated query={query} />
        {children(query.data)}
      </>
    );
  if (query.isError && !isLost) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  return <Waiting lines={lines} />;
}

function NotUpdated<T>({ query }: { query: UseQueryResult<T> }) {
  const { isLost } = useConnection();
  // A lost connection is shown once for the whole page.
  if (!query.isError || isLost) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-xs text-block">
      {common.notUpdated(describeError(query.error).detail, clock(query.dataUpdatedAt))}
      <Button small onClick={() => void query.refetch()}>
        {common.tryAgain}
      </Button>
    </p>
  );
}
