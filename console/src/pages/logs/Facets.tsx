import type { Schema } from '@/api/client';
import { words } from '@/lib/format';
import type { Triggered } from '@/lib/policy';
import { classes } from '@/ui/classes';
import type { LogFilters } from './filters';
import type { Row } from './useTail';

type Facet = { name: keyof LogFilters; label: string; of: (row: Row) => (string | null | undefined)[]; nameOf: (value: string) => string };
type Props = { rows: Row[]; filters: LogFilters; projects: Schema<'ProjectRecord'>[]; onPick: (name: keyof LogFilters, value: string | undefined) => void };

const SHOWN = 8;

/** What the rows at hand have in common; a choice filters by it, another one takes the filter away. */
export function Facets({ rows, filters, projects, onPick }: Props) {
  const same = (value: string) => value;
  const facets: Facet[] = [
    { name: 'decision', label: 'Decision', of: (row) => [row.decision], nameOf: words },
    { name: 'risk', label: 'Risk', of: (row) => [row.risk_level], nameOf: words },
    { name: 'guardrail', label: 'Guardrail', of: (row) => (row.triggered_guardrails as unknown as Triggered[]).map(({ name }) => name), nameOf: words },
    { name: 'project', label: 'Project', of: (row) => [row.projectId], nameOf: (id) => projects.find(({ projectId }) => projectId === id)?.projectName ?? rows.find((row) => row.projectId === id)?.projectName ?? id },
    { name: 'username', label: 'User', of: (row) => [row.username], nameOf: same },
    { name: 'source_app', label: 'Application', of: (row) => [row.source_app], nameOf: same },
  ];
  return (
    <div className="space-y-4">
      {facets.map(({ name, label, of, nameOf }) => {
        const values = counted(rows.flatMap(of), filters[name]);
        return values.length > 0 && (
          <fieldset key={name}>
            <legend className="mb-1 text-2xs font-semibold tracking-wide text-quiet uppercase">{label}</legend>
            {values.slice(0, SHOWN).map(([value, count]) => (
              <button
                key={value}
                type="button"
                aria-pressed={filters[name] === value}
                onClick={() => onPick(name, filters[name] === value ? undefined : value)}
                className={classes('flex w-full items-center gap-2 rounded px-1.5 py-1 text-left text-[13px]', filters[name] === value ? 'bg-accent-soft text-accent' : 'hover:bg-sunken')}
              >
                <span className="min-w-0 flex-1 truncate">{nameOf(value)}</span><span className="tabular text-xs text-quiet">{count}</span>
              </button>
            ))}
          </fieldset>
        );
      })}
      <p className="text-xs text-quiet">Counted over the rows that are loaded.</p>
    </div>
  );
}

/** Values by how often they come; the one that is filtered by stays, also when no row has it. */
function counted(values: (string | null | undefined)[], picked: string | undefined): [string, number][] {
  const counts = new Map<string, number>(picked === undefined ? [] : [[picked, 0]]);
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
