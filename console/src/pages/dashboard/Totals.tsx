import { Link } from '@tanstack/react-router';
import type { Schema } from '@/api/client';
import { count } from '@/lib/format';
import type { Period } from './period';

type Name = keyof Schema<'Totals'>;
// What a tile counts, its colour, and the filter of the log that shows the same rows; null where none does.
const TILES: [Name, string, string, string | null][] = [
  ['requests', 'Requests', 'var(--accent)', ''],
  ['allowed', 'Allowed', 'var(--allow)', 'allow'],
  ['blocked', 'Blocked', 'var(--block)', 'block'],
  ['masked', 'Masked', 'var(--mask)', 'mask'],
  ['challenged', 'Challenged', 'var(--challenge)', 'challenge'],
  ['escalated', 'Escalated', 'var(--escalate)', 'escalate'],
  ['would_block', 'Would block', 'var(--challenge)', null],
  ['not_judged', 'Not judged', 'var(--edge)', null],
];

type Props = { totals: Schema<'Totals'>; previous: Schema<'Totals'>; period: Period; project: string | undefined };

/** Requests by outcome, with the change against the period before. */
export function Totals({ totals, previous, period, project }: Props) {
  return (
    <section aria-label="Requests by outcome" className="grid grid-cols-2 gap-2.5 sm:grid-cols-4 xl:grid-cols-8">
      {TILES.map(([name, label, color, decision]) => {
        const tile = (
          <span className="card relative block h-full overflow-hidden px-3.5 py-2.5">
            <span aria-hidden className="absolute inset-y-0 left-0 w-0.75" style={{ background: color }} />
            <span className="block text-xs text-quiet">{label}</span>
            <span className="tabular block text-2xl font-semibold tracking-tight">{count(totals[name])}</span>
            <Change now={totals[name]} before={previous[name]} />
          </span>
        );
        return decision === null ? (
          <div key={name}>{tile}</div>
        ) : (
          <Link
            key={name}
            to="/logs"
            search={{ decision: decision || undefined, from: period.from(), project }}
            className="rounded-lg hover:brightness-97"
          >
            {tile}
          </Link>
        );
      })}
    </section>
  );
}

function Change({ now, before }: { now: number; before: number }) {
  if (now === before) return <span className="block text-2xs text-quiet">no change</span>;
  if (before === 0) return <span className="block text-2xs text-quiet">was 0</span>;
  const share = Math.round(((now - before) / before) * 100);
  const much = share > 999 ? `${count(Math.round(now / before))}-fold` : `${Math.abs(share)} %`;
  return (
    <span className="tabular block text-2xs text-quiet">
      {share > 0 ? '▲' : '▼'} {much} <span className="sr-only">{share > 0 ? 'more' : 'fewer'}</span> · was{' '}
      {count(before)}
    </span>
  );
}
