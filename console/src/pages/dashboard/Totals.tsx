import { Link } from '@tanstack/react-router';
import type { Schema } from '@/api/client';
import { count, percent } from '@/lib/format';
import { messages } from '@/messages/dashboard';
import type { Period } from './period';

const text = messages.totals;

type Name = keyof Schema<'Totals'>;
/** The name, label and color of a tile, and the log filter for its entries; null if there is none. */
type TileSpec = readonly [name: Name, label: string, color: string, decision: string | null];
const TILES: TileSpec[] = [
  ['requests', text.requests, 'var(--accent)', ''],
  ['allowed', text.allowed, 'var(--allow)', 'allow'],
  ['blocked', text.blocked, 'var(--block)', 'block'],
  ['masked', text.masked, 'var(--mask)', 'mask'],
  ['challenged', text.challenged, 'var(--challenge)', 'challenge'],
  ['escalated', text.escalated, 'var(--escalate)', 'escalate'],
  ['would_block', text.wouldBlock, 'var(--challenge)', null],
  ['not_judged', text.notEvaluated, 'var(--edge)', null],
];

type Props = { totals: Schema<'Totals'>; previous: Schema<'Totals'>; period: Period; project: string | undefined };

/** Shows requests by outcome, compared with the previous period. */
export function Totals({ totals, previous, period, project }: Props) {
  return (
    <section aria-label={text.label} className="grid grid-cols-2 gap-2.5 sm:grid-cols-4 xl:grid-cols-8">
      {TILES.map((tile) => (
        <Tile
          key={tile[0]}
          tile={tile}
          now={totals[tile[0]]}
          before={previous[tile[0]]}
          from={period.from()}
          project={project}
        />
      ))}
    </section>
  );
}

type TileProps = { tile: TileSpec; now: number; before: number; from: string; project: string | undefined };

function Tile({ tile: [, label, color, decision], now, before, from, project }: TileProps) {
  const content = (
    <span className="card relative block h-full overflow-hidden px-3.5 py-2.5">
      <span aria-hidden className="absolute inset-y-0 left-0 w-0.75" style={{ background: color }} />
      <span className="block text-xs text-quiet">{label}</span>
      <span className="tabular block text-2xl font-semibold tracking-tight">{count(now)}</span>
      <Change now={now} before={before} />
    </span>
  );
  if (decision === null) return <div>{content}</div>;
  return (
    <Link
      to="/logs"
      search={{ decision: decision || undefined, from, project }}
      className="rounded-lg hover:brightness-97"
    >
      {content}
    </Link>
  );
}

function Change({ now, before }: { now: number; before: number }) {
  if (now === before) return <span className="block text-2xs text-quiet">{text.noChange}</span>;
  if (before === 0) return <span className="block text-2xs text-quiet">{text.was(count(before))}</span>;
  const share = Math.round(((now - before) / before) * 100);
  const much = share > 999 ? text.times(count(Math.round(now / before))) : percent(Math.abs(share) / 100, 0);
  return (
    <span className="tabular block text-2xs text-quiet">
      {share > 0 ? '▲' : '▼'} {much} <span className="sr-only">{share > 0 ? text.more : text.fewer}</span> ·{' '}
      {text.was(count(before))}
    </span>
  );
}
