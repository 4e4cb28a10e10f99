import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Columns3, Filter, Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { projects as allProjects } from '@/api/data';
import { useMedia } from '@/lib/useMedia';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { classes } from '@/ui/classes';
import { Empty } from '@/ui/Empty';
import { ErrorNote } from '@/ui/ErrorNote';
import { Waiting } from '@/ui/Loaded';
import { CheckItem, Menu } from '@/ui/Menu';
import { Page } from '@/ui/Page';
import { COLUMNS, saveColumns, savedColumns } from './columns';
import { EntryDrawer } from './EntryDrawer';
import { Export } from './Export';
import { Facets } from './Facets';
import { logPages, readLogFilters } from './filters';
import { LogTable } from './LogTable';
import { SearchBar } from './SearchBar';
import { type LogEntry, useTail } from './useTail';

const route = getRouteApi('/app/logs');

/** Shows requests live, with filters and details. */
export function Logs() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = usePermission();
  const filters = useMemo(() => readLogFilters(search), [search]);
  const [isPaused, setPaused] = useState(false);
  const [isTop, setTop] = useState(true);
  const [showFacets, setShowFacets] = useState(false);
  const [picked, setPicked] = useState(savedColumns);
  const [fresh, setFresh] = useState<LogEntry[]>([]);
  const pages = useInfiniteQuery(logPages(filters));
  const tail = useTail(filters, filters.to === undefined);
  const projects = useQuery({ ...allProjects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const isNarrow = useMedia('(max-width: 639px)');
  const key = JSON.stringify(filters);

  useEffect(() => setFresh([]), [key]);
  const show = () => setFresh((entries) => [...tail.take(), ...entries]);
  // Show new entries automatically only at the top, where they do not move what the user reads.
  useEffect(() => {
    if (!isPaused && isTop && tail.waiting.length > 0) show();
  });

  const entries = useMemo(
    () => distinct([...fresh, ...(pages.data?.pages.flatMap(({ logs }) => logs) ?? [])]),
    [fresh, pages.data],
  );
  const columns = COLUMNS.filter(({ id }, index) => index === 0 || picked.includes(id));
  const pick = (id: string, on: boolean) => {
    const next = on ? [...picked, id] : picked.filter((one) => one !== id);
    setPicked(next);
    saveColumns(next);
  };
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...change }) });

  return (
    <Page
      full
      title={messages.title}
      actions={
        <>
          <TailState state={tail.state} isPaused={isPaused} isOff={filters.to !== undefined} error={tail.error} />
          <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused} disabled={filters.to !== undefined}>
            {isPaused ? (
              <>
                <Play aria-hidden size={14} /> {messages.resume}{' '}
              </>
            ) : (
              <>
                <Pause aria-hidden size={14} /> {messages.pause}
              </>
            )}
          </Button>
          {!isNarrow && (
            <Menu
              trigger={
                <Button>
                  <Columns3 aria-hidden size={14} /> {messages.columns}
                </Button>
              }
            >
              {COLUMNS.slice(1).map(({ id, label }) => (
                <CheckItem key={id} checked={picked.includes(id)} onChange={(on) => pick(id, on)}>
                  {label}
                </CheckItem>
              ))}
            </Menu>
          )}
          {may('LOGS:EXPORT_LOG') && <Export filters={filters} />}
        </>
      }
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <SearchBar filters={filters} projects={projects} onChange={(next) => void navigate({ search: next })} />
        </div>
        <Button className="lg:hidden" aria-expanded={showFacets} onClick={() => setShowFacets(!showFacets)}>
          <Filter aria-hidden size={14} /> {messages.facets}
        </Button>
      </div>
      <div className="flex min-h-[28rem] flex-1 flex-col gap-4 lg:min-h-0 lg:flex-row">
        <div
          className={classes('card shrink-0 overflow-y-auto p-3 lg:block lg:w-52', !showFacets && 'hidden')}
          role="region"
          aria-label={messages.facets}
          tabIndex={0}
        >
          <Facets filters={filters} projects={projects} onPick={(name, value) => set({ [name]: value })} />
        </div>
        <div className="card relative flex h-[75dvh] min-w-0 flex-1 flex-col overflow-hidden lg:h-auto">
          {tail.waiting.length > 0 && (
            <Button
              kind="primary"
              small
              className="absolute top-10 left-1/2 z-20 -translate-x-1/2 shadow-lg"
              onClick={show}
            >
              {messages.showNew(tail.waiting.length)}
            </Button>
          )}
          {pages.isError ? (
            <div className="p-4">
              <ErrorNote error={pages.error} retry={() => void pages.refetch()} />
            </div>
          ) : pages.isPending ? (
            <div className="p-4">
              <Waiting lines={10} />
            </div>
          ) : entries.length === 0 && !pages.hasNextPage ? (
            <Nothing isFiltered={key !== '{}'} />
          ) : (
            <LogTable
              key={String(isNarrow)}
              entries={entries}
              columns={columns}
              isNarrow={isNarrow}
              current={search.entry}
              more={pages.hasNextPage}
              loading={pages.isFetching}
              onEnd={() => void pages.fetchNextPage()}
              onTop={setTop}
            />
          )}
          <p role="status" className="border-t border-line px-4 py-1.5 text-xs text-quiet">
            {messages.loaded(entries.length)}
            {pages.isFetchingNextPage
              ? `. ${messages.loadingOlder}`
              : pages.hasNextPage
                ? `. ${messages.scrollForOlder}`
                : ''}
          </p>
        </div>
      </div>
      {search.entry && <EntryDrawer id={search.entry} entries={entries} onPick={(entry) => set({ entry })} />}
    </Page>
  );
}

function TailState({
  state,
  isPaused,
  isOff,
  error,
}: {
  state: string;
  isPaused: boolean;
  isOff: boolean;
  error: string | null;
}) {
  const label = isOff
    ? messages.live.past
    : isPaused
      ? messages.live.paused
      : state === 'live'
        ? messages.live.live
        : state === 'failed'
          ? messages.live.failed(error ?? '')
          : messages.live.connecting;
  const isLive = label === messages.live.live;
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-xs text-quiet">
      <span aria-hidden className={classes('size-2 rounded-full', isLive ? 'animate-pulse bg-allow' : 'bg-edge')} />
      {label}
    </span>
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

/** Removes entries that came both with a page and live. */
function distinct(entries: LogEntry[]): LogEntry[] {
  const seen = new Set<string>();
  return entries
    .filter(({ log_id }) => !seen.has(log_id) && seen.add(log_id))
    .sort((a, b) => (a.log_id < b.log_id ? 1 : -1));
}
