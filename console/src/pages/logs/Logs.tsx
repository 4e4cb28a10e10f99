import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { projects as allProjects } from '@/api/data';
import { zone } from '@/lib/localTime';
import { ENTRY_PERIODS } from '@/lib/period';
import { useMedia } from '@/lib/useMedia';
import { useSelection } from '@/lib/useSelection';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { classes } from '@/ui/classes';
import { Empty } from '@/ui/Empty';
import { ErrorNote } from '@/ui/ErrorNote';
import { Waiting } from '@/ui/Loaded';
import { Page } from '@/ui/Page';
import { PeriodPicker } from '@/ui/PeriodPicker';
import { ScrollArea } from '@/ui/ScrollArea';
import { COLUMNS, useColumns } from './columns';
import { EntryDrawer } from './EntryDrawer';
import { Facets } from './Facets';
import { FilterBar } from './FilterBar';
import { type LogFilters, readLogFilters, resolved } from './filters';
import { LogActions } from './LogActions';
import { LogChart } from './LogChart';
import { LogTable } from './LogTable';
import { SelectionActions } from './SelectionActions';
import { useEntries } from './useEntries';
import { Views } from './Views';
import { useWidths } from './widths';

const route = getRouteApi('/app/logs');

/** Shows requests live, with filters and details. */
export function Logs() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = usePermission();
  const shown = readLogFilters(search);
  const key = JSON.stringify(shown);
  // A relative period begins when it is selected, so that opening an entry does not load the list anew.
  const filters = useMemo(() => resolved(JSON.parse(key)), [key]);
  const [isPaused, setPaused] = useState(false);
  const [isTop, setTop] = useState(true);
  const [showFacets, setShowFacets] = useState(false);
  const [picked, pick] = useColumns();
  const [widths, setWidths] = useWidths();
  const projects = useQuery({ ...allProjects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const isNarrow = useMedia('(max-width: 639px)');
  // Live entries are held back below the top, where they would move what the user reads.
  const { entries, pages, tail, showNew } = useEntries(filters, isPaused || !isTop);
  const selection = useSelection(useMemo(() => entries.map(({ log_id }) => log_id), [entries]));
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...change }) });
  const show = (next: LogFilters) => void navigate({ search: next });
  return (
    <Page
      full
      title={messages.title}
      actions={
        <LogActions
          filters={filters}
          tail={tail}
          isPaused={isPaused}
          onPause={setPaused}
          columns={isNarrow ? null : picked}
          onColumns={pick}
        >
          <Views filters={shown} columns={picked} onApply={show} onColumns={pick} />
          <PeriodPicker
            period={shown}
            offered={ENTRY_PERIODS}
            onChange={({ last, from, to }) => set({ last, from, to })}
          />
        </LogActions>
      }
    >
      <FilterBar filters={shown} projects={projects} facets={[showFacets, setShowFacets]} onChange={show} />
      <LogChart filters={filters} onZoom={({ from, to }) => set({ last: undefined, from, to })} />
      <div className="flex min-h-[28rem] flex-1 flex-col gap-4 lg:min-h-0 lg:flex-row">
        <ScrollArea
          label={messages.facets}
          className={classes('card shrink-0 overflow-y-auto p-3 lg:block lg:w-52', !showFacets && 'hidden')}
        >
          <Facets filters={filters} projects={projects} onPick={(name, value) => set({ [name]: value })} />
        </ScrollArea>
        <EntryList
          pages={pages}
          loaded={entries.length}
          waiting={tail.waiting.length}
          isFiltered={Object.keys(shown).length > 0}
          onShowNew={showNew}
        >
          <SelectionActions entries={entries} selection={selection} />
          <LogTable
            key={String(isNarrow)}
            entries={entries}
            columns={COLUMNS.filter(({ id }, index) => index === 0 || picked.includes(id))}
            widths={widths}
            onWidths={setWidths}
            isNarrow={isNarrow}
            current={search.entry}
            selection={selection}
            more={pages.hasNextPage}
            loading={pages.isFetching}
            onEnd={() => void pages.fetchNextPage()}
            onTop={setTop}
          />
        </EntryList>
      </div>
      {search.entry && <EntryDrawer id={search.entry} entries={entries} onPick={(entry) => set({ entry })} />}
    </Page>
  );
}

type ListProps = {
  pages: ReturnType<typeof useEntries>['pages'];
  loaded: number;
  waiting: number;
  isFiltered: boolean;
  onShowNew: () => void;
  children: ReactNode;
};

/** The frame of the table: new entries, loading, errors and the number of loaded entries. */
function EntryList({ pages, loaded, waiting, isFiltered, onShowNew, children }: ListProps) {
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
      {pages.isError && pages.data === undefined ? (
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
