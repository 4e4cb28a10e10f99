import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { refusal } from '@/api/error';
import { zone } from '@/lib/localTime';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { ErrorNote } from '@/ui/ErrorNote';
import { Waiting } from '@/ui/Loaded';
import type { useEntries } from './useEntries';

type ListProps = {
  pages: ReturnType<typeof useEntries>['pages'];
  loaded: number;
  waiting: number;
  isFiltered: boolean;
  onShowNew: () => void;
  children: ReactNode;
};

/** The frame of the table: new entries, loading, errors and the number of loaded entries. */
export function EntryList({ pages, loaded, waiting, isFiltered, onShowNew, children }: ListProps) {
  return (
    // The height never depends on the entries: a table that grows with its entries would render all of them.
    <div className="card relative flex h-[75dvh] min-w-0 flex-none flex-col overflow-hidden lg:h-auto lg:flex-1">
      {waiting > 0 && (
        <Button
          kind="primary"
          small
          className="absolute top-10 left-1/2 z-20 -translate-x-1/2 shadow-lg"
          onClick={onShowNew}
        >
          {messages.showNew(waiting)}
        </Button>
      )}
      {pages.data === undefined && refusal(pages.error) !== null ? (
        <Empty title={messages.search.refused}>{messages.search.refusedBody}</Empty>
      ) : pages.isError && pages.data === undefined ? (
        <div className="p-4">
          <ErrorNote error={pages.error} retry={() => void pages.refetch()} />
        </div>
      ) : pages.isPending ? (
        <div className="p-4">
          <Waiting lines={10} />
        </div>
      ) : loaded === 0 && !pages.hasNextPage ? (
        <Nothing isFiltered={isFiltered} />
      ) : (
        children
      )}
      <p role="status" className="border-t border-line px-4 py-1.5 text-xs text-quiet">
        {messages.loaded(loaded)}
        {pages.isFetchingNextPage
          ? `. ${messages.loadingOlder}`
          : pages.hasNextPage
            ? `. ${messages.scrollForOlder}`
            : ''}
        <span className="float-right">{messages.zone(zone())}</span>
      </p>
    </div>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty
      title={common.noResults}
      action={
        <Link to="/logs" className="text-body text-accent underline">
          {messages.empty.clear}
        </Link>
      }
    />
  ) : (
    <Empty
      title={messages.empty.title}
      action={
        <Link to="/playground" className="text-body text-accent underline">
          {messages.empty.action}
        </Link>
      }
    >
      {messages.empty.body}
    </Empty>
  );
}
