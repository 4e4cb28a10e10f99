import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Schema } from '@/api/client';
import { zone } from '@/lib/localTime';
import { messages } from '@/messages/logs';
import { Button } from '@/ui/Button';
import { Field } from '@/ui/Field';
import type { LogFilters } from './filters';
import { misspelled, parsed, written } from './query';

type Props = {
  filters: LogFilters;
  error: string | null;
  projects: Schema<'ProjectRecord'>[];
  onChange: (filters: LogFilters) => void;
};

/** The filters as an editable line: `decision:block user:ann words`. */
export function SearchBar({ filters, error, projects, onChange }: Props) {
  const nameOf = (id: string) => projects.find(({ projectId }) => projectId === id)?.projectName ?? id;
  const idOf = (name: string) => projects.find(({ projectName }) => projectName === name)?.projectId ?? name;
  const current = written(filters, nameOf);
  const wrong = misspelled(filters.q);
  const inZone = filters.from || filters.to ? messages.zone(zone()) : undefined;
  const [line, setLine] = useState(current);
  useEffect(() => setLine(current), [current]);
  return (
    <search className="min-w-0 flex-1">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onChange(parsed(line, idOf));
        }}
      >
        <Field
          label={messages.search.label}
          hint={wrong ? messages.search.misspelled(wrong.keyword, wrong.meant) : inZone}
          error={error}
          hidden
          className="relative flex-1"
        >
          {(wiring) => (
            <>
              <Search aria-hidden size={14} className="absolute top-2.5 left-2.5 text-quiet" />
              <input
                {...wiring}
                type="search"
                className="control pl-8! font-mono text-body"
                placeholder={messages.search.placeholder}
                value={line}
                onChange={(event) => setLine(event.target.value)}
              />
            </>
          )}
        </Field>
        <Button type="submit">{messages.search.label}</Button>
        {current !== '' && (
          <Button kind="quiet" onClick={() => onChange({})}>
            {messages.search.clear}
          </Button>
        )}
      </form>
    </search>
  );
}
