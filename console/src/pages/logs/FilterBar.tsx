import { Filter } from 'lucide-react';
import type { Schema } from '@/api/client';
import { messages } from '@/messages/logs';
import { Button } from '@/ui/Button';
import { FilterChips } from './FilterChips';
import type { LogFilters } from './filters';
import { SearchBar } from './SearchBar';

type Props = {
  filters: LogFilters;
  /** The message of the service about a value that it refuses. */
  error: string | null;
  projects: Schema<'ProjectRecord'>[];
  /** Whether the facets are shown, and what changes it. */
  facets: [boolean, (shows: boolean) => void];
  onChange: (filters: LogFilters) => void;
};

/** The filters as a line and as conditions, and the button that shows the facets on a small screen. */
export function FilterBar({ filters, error, projects, facets: [showsFacets, onFacets], onChange }: Props) {
  return (
    <>
      <div className="flex items-start gap-2">
        <SearchBar filters={filters} error={error} projects={projects} onChange={onChange} />
        <Button className="lg:hidden" aria-expanded={showsFacets} onClick={() => onFacets(!showsFacets)}>
          <Filter aria-hidden size={14} />
          {messages.facets}
        </Button>
      </div>
      <FilterChips filters={filters} onChange={onChange} />
    </>
  );
}
