import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { projects as allProjects } from '@/api/data';
import { refusal } from '@/api/error';
import { ENTRY_PERIODS } from '@/lib/period';
import { useMedia } from '@/lib/useMedia';
import { useSelection } from '@/lib/useSelection';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { classes } from '@/ui/classes';
import { Page } from '@/ui/Page';
import { PeriodPicker } from '@/ui/PeriodPicker';
import { ScrollArea } from '@/ui/ScrollArea';
import { COLUMNS, useColumns } from './columns';
import { EntryDrawer } from './EntryDrawer';
import { EntryList } from './EntryList';
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
  // Filters from an address may have values that no part of the page gets an answer for.
  const refused = refusal(pages.error);
  const set = (change: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...change }) });
  const show = (next: LogFilters) => void navigate({ search: next });
  const table = {
    ...{ entries, widths, isNarrow, selection, onWidths: setWidths, onTop: setTop, current: search.entry },
    columns: COLUMNS.filter(({ id }, index) => index === 0 || picked.includes(id)),
    more: pages.hasNextPage,
    loading: pages.isFetching,
    onEnd: () => void pages.fetchNextPage(),
  };
  return (
    <Page
      full
      title={messages.title}
      actions={
        <LogActions
          filters={filters}
          tail={tail}
          isPaused={isPaused}
          isRefused={refused !== null}
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
      <FilterBar
        filters={shown}
        error={refused}
        projects={projects}
        facets={[showFacets, setShowFacets]}
        onChange={show}
      />
      <LogChart filters={filters} onZoom={({ from, to }) => set({ last: undefined, from, to })} />
      <div className="flex min-h-[28rem] flex-1 flex-col gap-4 lg:min-h-0 lg:flex-row">
        <FacetPanel isShown={showFacets}>
          {refused === null && (
            <Facets filters={filters} projects={projects} onPick={(name, value) => set({ [name]: value })} />
          )}
        </FacetPanel>
        <EntryList
          pages={pages}
          loaded={entries.length}
          waiting={tail.waiting.length}
          isFiltered={Object.keys(shown).length > 0}
          onShowNew={showNew}
        >
          <SelectionActions entries={entries} selection={selection} />
          <LogTable key={String(isNarrow)} {...table} />
        </EntryList>
      </div>
      {search.entry && <EntryDrawer id={search.entry} entries={entries} onPick={(entry) => set({ entry })} />}
    </Page>
  );
}

/** The facets at the side; on a small screen only after they were asked for. */
function FacetPanel({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  return (
    <ScrollArea
      label={messages.facets}
      className={classes('card shrink-0 overflow-y-auto p-3 lg:block lg:w-52', !isShown && 'hidden')}
    >
      {children}
    </ScrollArea>
  );
}
