import { type LogFilters, NAMES } from './filters';

// The keywords of the search bar and their filters. The first keyword of a filter is written.
const KEYS: Record<string, keyof LogFilters> = {
  project: 'project',
  decision: 'decision',
  outcome: 'outcome',
  guardrail: 'guardrail',
  risk: 'risk',
  feedback: 'mark',
  mark: 'mark',
  app: 'source_app',
  user: 'username',
  from: 'from',
  to: 'to',
};

const keyOf = (name: keyof LogFilters) => Object.keys(KEYS).find((key) => KEYS[key] === name) ?? name;
const quoted = (value: string) => (/[\s":]/.test(value) ? `"${value.replaceAll('"', '')}"` : value);

/** Writes filters as a line: `decision:block user:"ann smith" words to search`. */
export function written(filters: LogFilters, projectName: (id: string) => string): string {
  const parts = NAMES.filter((name) => name !== 'q' && filters[name]).map((name) => {
    const value = filters[name] ?? '';
    return `${keyOf(name)}:${quoted(name === 'project' ? projectName(value) : value)}`;
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
      filters[name] = name === 'project' ? projectId(value) : value;
      return '';
    },
  );
  const q = rest.replace(/\s+/g, ' ').trim();
  if (q !== '') filters.q = q;
  return filters;
}
