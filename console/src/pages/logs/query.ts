import { readLocal, writeLocal } from '@/lib/localTime';
import { type LogFilters, NAMES, readBoolean } from './filters';

// The keywords of the search bar and their filters. The first keyword of a filter is written.
const KEYS: Record<string, keyof LogFilters> = {
  project: 'project',
  decision: 'decision',
  outcome: 'outcome',
  triggered: 'triggered',
  guardrail: 'guardrail',
  risk: 'risk',
  feedback: 'mark',
  mark: 'mark',
  app: 'source_app',
  user: 'username',
  caller: 'principal',
  interface: 'surface',
  conversation: 'conversation_id',
  last: 'last',
  from: 'from',
  to: 'to',
};

const keyOf = (name: keyof LogFilters) => Object.keys(KEYS).find((key) => KEYS[key] === name) ?? name;
const quoted = (value: string) => (/[\s":]/.test(value) ? `"${value.replaceAll('"', '')}"` : value);

const isTime = (name: string) => name === 'from' || name === 'to';

/** Writes filters as a line, times in local time: `decision:block user:"ann smith" from:"2026-01-31 14:05" words`. */
export function written(filters: LogFilters, projectName: (id: string) => string): string {
  const parts = NAMES.filter((name) => name !== 'q' && filters[name] !== undefined).map((name) => {
    const value = String(filters[name]);
    const shown = name === 'project' ? projectName(value) : isTime(name) ? writeLocal(value) : value;
    return `${keyOf(name)}:${quoted(shown)}`;
  });
  return [...parts, ...(filters.q ? [filters.q] : [])].join(' ');
}

/** Parses such a line. The last of repeated keywords wins. Other words are searched in the text. */
export function parsed(line: string, projectId: (name: string) => string): LogFilters {
  const filters: LogFilters = {};
  const rest = line.replace(
    /(?<!\S)(\w+):(?:"([^"]*)"|(\S+))/g,
    (whole, word: string, inQuotes?: string, plain?: string) => {
      const name = KEYS[word.toLowerCase()];
      if (name === undefined) return whole;
      const value = inQuotes ?? plain ?? '';
      if (name === 'triggered') filters.triggered = readBoolean(value);
      else filters[name] = name === 'project' ? projectId(value) : isTime(name) ? readLocal(value) : value;
      return '';
    },
  );
  const q = rest.replace(/\s+/g, ' ').trim();
  if (q !== '') filters.q = q;
  return filters;
}
