import { useId, useMemo, useState } from 'react';
import type { Range } from '@/lib/period';
import { messages } from '@/messages/charts';
import { topOf } from './axis';
import { Caption } from './Caption';
import { ChartTable } from './ChartTable';
import { Overlay } from './Overlay';
import { Plot } from './Plot';
import { type Bin, binAt, type Line, type Marker, rangeOver, type Series, stacked } from './series';
import { useBinKeys } from './useBinKeys';

const NO_LINES: Line[] = [];
const NO_MARKERS: Marker[] = [];

type Props = {
  name: string;
  bins: Bin[];
  series: Series[];
  shape?: 'bars' | 'steps';
  height?: number;
  /** Series that are not shown until the user shows them. */
  hiddenAtFirst?: readonly string[];
  markers?: Marker[];
  lines?: Line[];
  selected?: string | null;
  onSelect?: (from: string | null) => void;
  onZoom?: (range: Range) => void;
};

/**
 * Values over time, stacked. The pointer or the arrow keys show the values of a bin; a click or Enter selects it; dragging
 * or Shift with the arrow keys zooms in. A table has the same values.
 */
export function TimeChart(props: Props) {
  const { name, bins, series, hiddenAtFirst = [], markers = NO_MARKERS, lines = NO_LINES } = props;
  const [hidden, setHidden] = useState<readonly string[]>(hiddenAtFirst);
  const [isTable, setTable] = useState(false);
  const shown = useMemo(() => series.filter(({ id }) => !hidden.includes(id)), [series, hidden]);
  return (
    <figure aria-label={name} className="min-w-0">
      {isTable ? (
        <ChartTable name={messages.tableOf(name)} bins={bins} series={shown} />
      ) : (
        <Drawing {...props} series={shown} markers={markers} lines={lines} />
      )}
      <Caption
        name={name}
        series={series}
        hidden={hidden}
        onHide={setHidden}
        markers={markers}
        lines={lines}
        isTable={isTable}
        onTable={setTable}
      />
    </figure>
  );
}

/** The plotted series, with what the pointer and the keys do. */
function Drawing(props: Props & { markers: Marker[]; lines: Line[] }) {
  const { name, bins, series, shape = 'bars', height = 200, markers, lines, onZoom } = props;
  const [hovered, setHovered] = useState<number | null>(null);
  const hint = useId();
  const layers = useMemo(() => stacked(series), [series]);
  const select = (index: number) => {
    const from = bins[index]?.from ?? null;
    props.onSelect?.(from === props.selected ? null : from);
  };
  const zoom = (one: number, other: number) => {
    const range = rangeOver(bins, one, other);
    if (range) onZoom?.(range);
  };
  const keys = useBinKeys(bins, select, onZoom && zoom);
  return (
    <>
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
          lines={lines}
          shape={shape}
          height={height}
          onHover={(time) => setHovered(time === null ? null : binAt(bins, time))}
          onPick={(time) => select(binAt(bins, time))}
          onZoom={onZoom && ((from, to) => zoom(binAt(bins, from), binAt(bins, to)))}
        >
          <Overlay
            bins={bins}
            shown={series}
            at={hovered ?? keys.at}
            anchor={keys.anchor}
            markers={markers}
            lines={lines}
            top={topOf(layers, lines)}
            selected={props.selected}
          />
        </Plot>
      </div>
      <p id={hint} className="sr-only">
        {onZoom ? messages.zoomKeys : messages.keys}
      </p>
    </>
  );
}
