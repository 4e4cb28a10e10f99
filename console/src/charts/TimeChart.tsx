import { Table2 } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { count } from '@/lib/format';
import type { Range } from '@/lib/period';
import { messages } from '@/messages/charts';
import { Button } from '@/ui/Button';
import { classes } from '@/ui/classes';
import { ChartTable } from './ChartTable';
import { Legend } from './Legend';
import { Plot } from './Plot';
import { type Bin, binAt, rangeOver, type Series, stacked } from './series';
import { useBinKeys } from './useBinKeys';

/** A point in time that is named above the chart. */
export type Marker = { id: string; time: string; label: string };

type Props = {
  name: string;
  bins: Bin[];
  series: Series[];
  shape?: 'bars' | 'steps';
  height?: number;
  /** Series that are not shown until the user shows them. */
  hiddenAtFirst?: readonly string[];
  markers?: Marker[];
  selected?: string | null;
  onSelect?: (from: string | null) => void;
  onZoom?: (range: Range) => void;
};

/**
 * Values over time, stacked. The pointer or the arrow keys show the values of a bin; a click or Enter selects it; dragging
 * or Shift with the arrow keys zooms in. A table has the same values.
 */
export function TimeChart(props: Props) {
  const { name, bins, series, shape = 'bars', height = 200, hiddenAtFirst = [], markers = [], onZoom } = props;
  const [hidden, setHidden] = useState<readonly string[]>(hiddenAtFirst);
  const [isTable, setTable] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const hint = useId();
  const layers = useMemo(() => stacked(series.filter(({ id }) => !hidden.includes(id))), [series, hidden]);
  const shown = series.filter(({ id }) => !hidden.includes(id));
  const select = (index: number) => {
    const from = bins[index]?.from ?? null;
    props.onSelect?.(from === props.selected ? null : from);
  };
  const zoom = (one: number, other: number) => {
    const range = rangeOver(bins, one, other);
    if (range) onZoom?.(range);
  };
  const keys = useBinKeys(bins, select, onZoom && zoom);
  const at = hovered ?? keys.at;
  return (
    <figure aria-label={name} className="min-w-0">
      {isTable ? (
        <ChartTable name={messages.tableOf(name)} bins={bins} series={shown} />
      ) : (
        <div
          role="slider"
          tabIndex={0}
          aria-label={name}
          aria-describedby={hint}
          aria-valuenow={keys.current}
          {...keys.slider}
          onBlur={keys.leave}
          className="rounded outline-offset-2"
        >
          <Plot
            bins={bins}
            layers={layers}
            shape={shape}
            height={height}
            onHover={(time) => setHovered(time === null ? null : binAt(bins, time))}
            onPick={(time) => select(binAt(bins, time))}
            onZoom={onZoom && ((from, to) => zoom(binAt(bins, from), binAt(bins, to)))}
          >
            <Overlay
              bins={bins}
              shown={shown}
              at={at}
              anchor={keys.anchor}
              markers={markers}
              selected={props.selected}
            />
          </Plot>
        </div>
      )}
      <p id={hint} className="sr-only">
        {onZoom ? messages.zoomKeys : messages.keys}
      </p>
      <figcaption className="mt-1 flex flex-wrap items-start gap-x-4 gap-y-1 pl-2">
        {series.length > 1 ? (
          <Legend series={series} hidden={hidden} onChange={setHidden} />
        ) : (
          <span className="flex-1" />
        )}
        {markers.length > 0 && !isTable && (
          <span className="inline-flex min-h-6 items-center gap-1.5 text-xs text-quiet">
            <span aria-hidden className="h-3 border-l border-dashed border-accent" />
            {messages.markers}
          </span>
        )}
        <Button small kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          <Table2 aria-hidden size={13} />
          {isTable ? messages.chart : messages.table}
          <span className="sr-only"> {name}</span>
        </Button>
      </figcaption>
    </figure>
  );
}

type OverlayProps = Pick<Props, 'bins' | 'selected'> & {
  shown: Series[];
  at: number | null;
  anchor: number | null;
  markers: Marker[];
};

/** The selection, the markers and the values at the cursor, placed by their share of the width. */
function Overlay({ bins, shown, at, anchor, markers, selected }: OverlayProps) {
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
