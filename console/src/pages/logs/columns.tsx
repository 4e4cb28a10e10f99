import type { ReactNode } from 'react';
import { milliseconds, moment, shortMoment, words } from '@/lib/format';
import type { Triggered } from '@/lib/policy';
import { Decision, Pill, Risk } from '@/ui/Pill';
import type { Row } from './useTail';

/** A column of the log: its name, its width as a grid track, and what a row shows there. */
export type LogColumn = { id: string; label: string; track: string; number?: boolean; cell: (row: Row) => ReactNode };

const quiet = (value: ReactNode) => <span className="text-quiet">{value ?? '–'}</span>;

/** Every column; the first is always shown, for it opens the row. */
export const COLUMNS: LogColumn[] = [
  {
    id: 'time',
    label: 'Time',
    track: '8.5rem',
    cell: (row) => (
      <time dateTime={row.created_at} title={moment(row.created_at)} className="tabular">
        {shortMoment(row.created_at)}
      </time>
    ),
  },
  { id: 'decision', label: 'Decision', track: '6.5rem', cell: (row) => <Decision of={row.decision} /> },
  { id: 'triggered', label: 'Triggered', track: 'minmax(7.5rem,1fr)', cell: (row) => <TriggeredNames row={row} /> },
  { id: 'text', label: 'Text', track: 'minmax(10rem,2.5fr)', cell: (row) => quiet(row.text ?? 'not kept') },
  { id: 'score', label: 'Safety', track: '4rem', number: true, cell: (row) => row.safety_score },
  { id: 'risk', label: 'Risk', track: '6rem', cell: (row) => <Risk level={row.risk_level} /> },
  { id: 'project', label: 'Project', track: 'minmax(6rem,0.8fr)', cell: (row) => row.projectName ?? quiet('none') },
  { id: 'user', label: 'User', track: 'minmax(5rem,0.6fr)', cell: (row) => row.username ?? quiet(null) },
  { id: 'app', label: 'Application', track: 'minmax(6rem,0.6fr)', cell: (row) => row.source_app ?? quiet(null) },
  { id: 'endpoint', label: 'Endpoint', track: '6.5rem', cell: (row) => row.endpoint },
  { id: 'direction', label: 'Direction', track: '5.5rem', cell: (row) => row.direction },
  { id: 'latency', label: 'Latency', track: '5rem', number: true, cell: (row) => milliseconds(row.processing_time_ms) },
  { id: 'outcome', label: 'Outcome', track: '7.5rem', cell: (row) => <Decision of={row.outcome} /> },
  { id: 'mark', label: 'Marked as', track: '7.5rem', cell: (row) => (row.mark ? words(row.mark) : quiet(null)) },
  {
    id: 'shadow',
    label: 'Shadow',
    track: '7rem',
    cell: (row) => (row.shadow_decision ? <Decision of={row.shadow_decision} /> : quiet(null)),
  },
  { id: 'language', label: 'Language', track: '5rem', cell: (row) => row.lang_code ?? quiet(null) },
  { id: 'principal', label: 'Caller', track: 'minmax(7rem,0.8fr)', cell: (row) => row.principal },
  { id: 'credits', label: 'Credits', track: '4.5rem', number: true, cell: (row) => row.credits },
];

/** The first of what triggered, and how many more did. */
function TriggeredNames({ row }: { row: Row }) {
  const [first, ...others] = (row.triggered_guardrails as unknown as Triggered[]).map(({ name }) => words(name));
  if (first === undefined) return quiet('–');
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={[first, ...others].join(', ')}>
      <span className="truncate">{first}</span>
      {others.length > 0 && <Pill>+{others.length}</Pill>}
    </span>
  );
}

const KEY = 'guardengine.logs.columns';
const FIRST = ['time', 'decision', 'triggered', 'text', 'score', 'project', 'user', 'latency'];

/** The columns that were chosen on this browser. */
export function chosenColumns(): string[] {
  const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
  return Array.isArray(kept) ? kept.map(String) : FIRST;
}

/** Keeps the choice on this browser. */
export const keepColumns = (ids: string[]): void => localStorage.setItem(KEY, JSON.stringify(ids));
