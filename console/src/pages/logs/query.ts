import { distance } from '@/lib/distance';
import { readLocal, writeLocal } from '@/lib/localTime';
import { type Condition, conditionsOf, isRepeatable, withConditions } from './conditions';
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

// Letters that a misspelled keyword may have wrong.
const MISSPELLED = 2;

/** Returns a keyword in searched words that is close to a known one, which was probably meant. */
export function misspelled(words: string | undefined): { keyword: string; meant: string } | null {
  for (const [, keyword = ''] of (words ?? '').matchAll(/(?<!\S)-?(\w{3,}):(?!\/\/)\S/g)) {
    const meant = Object.keys(KEYS).find((known) => distance(keyword.toLowerCase(), known) <= MISSPELLED);
    if (meant !== undefined) return { keyword, meant };
  }
  return null;
}

/** Writes filters as a line, times in local time: `decision:block user:"ann smith" from:"2026-01-31 14:05" words`. */
export function written(filters: LogFilters, projectName: (id: string) => string): string {
  const conditions = conditionsOf(filters);
  const parts = NAMES.flatMap((name) => {
    if (isRepeatable(name)) return conditions.filter((one) => one.name === name).map(word);
    if (name === 'q' || name === 'more' || filters[name] === undefined) return [];
    const value = String(filters[name]);
    const shown = name === 'project' ? projectName(value) : isTime(name) ? writeLocal(value) : value;
    return [`${keyOf(name)}:${quoted(shown)}`];
  });
  return [...parts, ...(filters.q ? [filters.q] : [])].join(' ');
}

const word = ({ name, value, isNot }: Condition) => `${isNot ? '-' : ''}${keyOf(name)}:${quoted(value)}`;

/**
 * Parses such a line. A repeated keyword takes any of its values, and `-` in front of it leaves its value out. Of the
 * other keywords, the last one wins. Other words are searched in the text.
 */
export function parsed(line: string, projectId: (name: string) => string): LogFilters {
  const filters: LogFilters = {};
  const conditions: Condition[] = [];
  const rest = line.replace(
    /(?<!\S)(-?)(\w+):(?:"([^"]*)"|(\S+))/g,
    (whole, minus: string, keyword: string, inQuotes?: string, plain?: string) => {
      const name = KEYS[keyword.toLowerCase()];
      if (name === undefined || (minus !== '' && !isRepeatable(name))) return whole;
      const value = inQuotes ?? plain ?? '';
      if (isRepeatable(name)) conditions.push({ name, value, isNot: minus !== '' });
      else if (name === 'triggered') filters.triggered = readBoolean(value);
      else filters[name] = name === 'project' ? projectId(value) : isTime(name) ? readLocal(value) : value;
      return '';
    },
  );
  const q = rest.replace(/\s+/g, ' ').trim();
  if (q !== '') filters.q = q;
  return withConditions(filters, conditions);
}
