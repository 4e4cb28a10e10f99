import { count } from '@/lib/format';
import { classes } from '@/ui/classes';
import { type Bin, type Line, type Marker, rangeOver, type Series } from './series';

type Props = {
  bins: Bin[];
  selected?: string | null;
  shown: Series[];
  at: number | null;
  anchor: number | null;
  markers: Marker[];
  lines: Line[];
  /** The upper end of the value axis. */
  top: number;
};

/** The selection, the markers, the lines and the values at the cursor, placed by their share of the width. */
export function Overlay({ bins, shown, at, anchor, markers, lines, top, selected }: Props) {
  const [start, end] = [Date.parse(bins[0]?.from ?? ''), Date.parse(bins.at(-1)?.to ?? '')];
  const share = (time: string) => ((Date.parse(time) - start) / (end - start)) * 100;
  const band = (one: number, other: number, color: string) => {
    const range = rangeOver(bins, one, other);
    return (
      range && (
        <span
          aria-hidden
          className={classes('absolute inset-y-0', color)}
          style={{ left: `${share(range.from)}%`, width: `${share(range.to) - share(range.from)}%` }}
        />
      )
    );
  };
  const picked = bins.findIndex(({ from }) => from === selected);
  const bin = at === null ? undefined : bins[at];
  return (
    <>
      {picked !== -1 && band(picked, picked, 'bg-accent/15')}
      {at !== null && band(anchor ?? at, at, anchor === null ? 'bg-ink/5' : 'bg-accent/20')}
      {markers.map(({ id, time, label }) => (
        <span
          key={id}
          role="img"
          aria-label={label}
          title={label}
          className={classes(
            'absolute inset-y-0 w-2 -translate-x-1/2 before:absolute before:inset-y-0',
            'before:left-1/2 before:border-l before:border-dashed before:border-accent',
            'after:pointer-events-auto after:absolute after:-top-1 after:left-0 after:size-2',
            'after:rounded-full after:bg-accent',
          )}
          style={{ left: `${share(time)}%` }}
        />
      ))}
      {lines.map(({ id, value, label }) => (
        <span
          key={id}
          role="img"
          aria-label={label}
          className="absolute inset-x-0 border-t-2 border-dashed border-block"
          style={{ bottom: `${(value / top) * 100}%` }}
        />
      ))}
      {bin && at !== null && <Values bin={bin} index={at} shown={shown} place={share(bin.from)} />}
    </>
  );
}

function Values({ bin, index, shown, place }: { bin: Bin; index: number; shown: Series[]; place: number }) {
  const values = shown.filter(({ values }) => values[index]);
  return (
    <div
      aria-hidden
      className={classes(
        'card absolute top-1 z-10 max-w-64 px-2.5 py-1.5 text-xs shadow-lg',
        place > 50 ? '-translate-x-full' : 'translate-x-3',
      )}
      style={{ left: `${place}%` }}
    >
      <p className="font-medium">{bin.description}</p>
      {values.length > 1 &&
        values.map(({ id, name, color, values }) => (
          <p key={id} className="flex items-center gap-1.5 text-quiet">
            <span className="size-2 shrink-0 rounded-sm" style={{ background: color }} />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="tabular text-ink">{count(values[index] ?? 0)}</span>
          </p>
        ))}
    </div>
  );
}
