import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/client';
import { count, words } from '@/lib/format';
import { messages } from '@/messages/logs';
import { classes } from '@/ui/classes';
import { Loaded } from '@/ui/Loaded';
import { type LogFilters, logFacets } from './filters';

type Counts = Schema<'LogFacets'>;
type Name = keyof LogFilters & keyof Counts;
type Props = {
  filters: LogFilters;
  projects: Schema<'ProjectRecord'>[];
  onPick: (name: keyof LogFilters, value: string | undefined) => void;
};

const FACETS: [Name, string][] = [
  ['decision', messages.fields.decision],
  ['outcome', messages.fields.outcome],
  ['risk', messages.fields.risk],
  ['guardrail', messages.fields.guardrail],
  ['mark', messages.fields.feedback],
  ['project', messages.fields.project],
  ['username', messages.fields.user],
  ['source_app', messages.fields.application],
];
const IN_WORDS: Name[] = ['decision', 'outcome', 'risk', 'guardrail', 'mark'];
const SHOWN = 8;

/** Counts of the newest entries by field. Selecting a value sets or clears a filter. */
export function Facets({ filters, projects, onPick }: Props) {
  const query = useQuery(logFacets(filters));
  const nameOf = (name: Name, { value, name: label }: Counts[Name][number]) =>
    label ??
    (name === 'project'
      ? projects.find(({ projectId }) => projectId === value)?.projectName
      : IN_WORDS.includes(name)
        ? words(value)
        : undefined) ??
    value;
  return (
    <Loaded query={query} lines={8}>
      {(counts) => (
        <div className="space-y-4">
          {FACETS.map(([name, label]) => {
            const values = withPicked(counts[name], filters[name]);
            return (
              values.length > 0 && (
                <fieldset key={name} className="min-w-0">
                  <legend className="mb-1 text-2xs font-semibold tracking-wide text-quiet uppercase">{label}</legend>
                  {values.slice(0, SHOWN).map((one) => (
                    <button
                      key={one.value}
                      type="button"
                      aria-pressed={filters[name] === one.value}
                      onClick={() => onPick(name, filters[name] === one.value ? undefined : one.value)}
                      className={classes(
                        'flex w-full items-center gap-2 rounded px-1.5 py-1 text-left text-body',
                        filters[name] === one.value ? 'bg-accent-soft text-accent' : 'hover:bg-sunken',
                      )}
                    >
                      <span className="min-w-0 flex-1 truncate">{nameOf(name, one)}</span>
                      <span className="tabular text-xs text-quiet">{count(one.count)}</span>
                    </button>
                  ))}
                </fieldset>
              )
            );
          })}
          <p className="text-xs text-quiet">
            {counts.complete ? messages.countedAll(counts.rows) : messages.countedNewest(counts.rows)}
          </p>
        </div>
      )}
    </Loaded>
  );
}

/** Keeps the selected value, even if no entry has it. */
const withPicked = (values: Counts[Name], picked: string | undefined): Counts[Name] =>
  picked === undefined || values.some(({ value }) => value === picked)
    ? values
    : [{ value: picked, count: 0 }, ...values];
