import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/client';
import { count, percent } from '@/lib/format';
import type { Range } from '@/lib/period';
import { messages } from '@/messages/dashboard';
import type { LogFilters } from '@/pages/logs/filters';
import { classes } from '@/ui/classes';
import { NOT_EVALUATED } from '@/ui/Pill';

const text = messages.totals;

type Name = Exclude<keyof Schema<'Totals'>, 'unlogged'>;
/** The name, label and color of a tile, and the log filter for its entries. */
type TileSpec = readonly [name: Name, label: string, color: string, outcome: string | undefined];
const TILES: TileSpec[] = [
  ['requests', text.requests, 'var(--accent)', undefined],
  ['allowed', text.allowed, 'var(--allow)', 'allowed'],
  ['blocked', text.blocked, 'var(--block)', 'blocked'],
  ['masked', text.masked, 'var(--mask)', 'masked'],
  ['challenged', text.challenged, 'var(--challenge)', 'challenged'],
  ['escalated', text.escalated, 'var(--escalate)', 'escalated'],
  ['would_block', text.wouldBlock, 'var(--challenge)', 'would_block'],
  [NOT_EVALUATED, text.notEvaluated, 'var(--edge)', NOT_EVALUATED],
];

type Props = { totals: Schema<'Totals'>; previous: Schema<'Totals'>; range: Range; project: string | undefined };

/** Shows requests by outcome, compared with the previous period. Each number opens the entries that it counts. */
export function Totals({ totals, previous, range, project }: Props) {
  return (
    <section aria-label={text.label} className="grid grid-cols-2 gap-2.5 sm:grid-cols-4 xl:grid-cols-8">
      {TILES.map(([name, label, color, outcome]) => (
        <Tile
          key={name}
          label={label}
          color={color}
          value={totals[name]}
          search={name === NOT_EVALUATED && totals[name] === totals.unlogged ? null : { outcome, ...range, project }}
        >
          <Change now={totals[name]} before={previous[name]} />
          {totals.unlogged > 0 && (name === 'requests' || name === NOT_EVALUATED) && (
            <span className="block text-2xs text-quiet">{text.unlogged(totals.unlogged)}</span>
          )}
        </Tile>
      ))}
    </section>
  );
}

type TileProps = { label: string; color: string; value: number; search: LogFilters | null; children?: ReactNode };

/** A number that opens the log entries that it counts, if there are any, with notes below it. */
export function Tile({ label, color, value, search, children }: TileProps) {
  const content = (
    <>
      <span aria-hidden className="absolute inset-y-0 left-0 w-0.75" style={{ background: color }} />
      <span className="block text-xs text-quiet">{label}</span>
      <span className="tabular block text-2xl font-semibold tracking-tight">{count(value)}</span>
      {children}
    </>
  );
  const box = 'card relative block h-full overflow-hidden px-3.5 py-2.5';
  if (search === null) return <div className={box}>{content}</div>;
  return (
    <Link to="/logs" search={search} className={classes(box, 'hover:brightness-97')}>
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
