import type { ReactNode } from 'react';
import { count } from '@/lib/format';

type Entry = { name: string; count: number };

const SHOWN = 7;

/** The most frequent entries, each with a bar relative to the first. */
export function Ranking({
  entries,
  link,
  empty,
}: {
  entries: Entry[];
  link: (entry: Entry) => ReactNode;
  empty: ReactNode;
}) {
  const most = Math.max(1, ...entries.map((entry) => entry.count));
  if (entries.length === 0) return <p className="py-2 text-body text-quiet">{empty}</p>;
  return (
    <ol className="space-y-0.5">
      {entries.slice(0, SHOWN).map((entry) => (
        <li key={entry.name} className="relative flex items-center gap-3 rounded px-2 py-1 text-body">
          <span
            aria-hidden
            className="absolute inset-y-0 left-0 rounded bg-accent-soft"
            style={{ width: `${(entry.count / most) * 100}%` }}
          />
          <span className="relative min-w-0 flex-1 truncate">{link(entry)}</span>
          <span className="tabular relative text-quiet">{count(entry.count)}</span>
        </li>
      ))}
    </ol>
  );
}
