import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { short } from '@/lib/format';
import { isUtc } from '@/lib/zone';
import { axisLabel, topOf } from './axis';
import { INSETS } from './insets';
import type { Bin, Layer, Line } from './series';

// Dragging over fewer pixels is a click.
const SHORTEST_DRAG = 6;
const DAY_SECONDS = 86_400;
// Half of the width of a label in pixels.
const CUT = 22;

export type PlotOptions = {
  box: HTMLElement;
  bins: Bin[];
  layers: Layer[];
  lines: Line[];
  /** Bars, or a line that stays the same until its next value. */
  shape: 'bars' | 'steps';
  height: number;
  onHover: (time: number | null) => void;
  onPick: (time: number) => void;
  /** Called with the times of a dragged range, in milliseconds; absent where there is nothing to zoom. */
  onZoom?: (from: number, to: number) => void;
};

/** Draws a chart and returns a function that removes it. */
export function draw(options: PlotOptions): () => void {
  const { box, bins, layers, height } = options;
  const plot = new uPlot(settings(options), dataOf(bins, layers), box);
  const resized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
  resized.observe(box);
  const stopThemes = onTheme(() => plot.redraw(false));
  const stopClicks = onClick(plot.over, (x) => options.onPick(plot.posToVal(x, 'x') * 1000));
  return () => {
    resized.disconnect();
    stopThemes();
    stopClicks();
    plot.destroy();
  };
}

/** The starts of the bins, with the end of the last one; then the upper ends of each layer. */
function dataOf(bins: Bin[], layers: Layer[]): uPlot.AlignedData {
  const times = [...bins.map(({ from }) => Date.parse(from)), Date.parse(bins.at(-1)?.to ?? '')];
  const values = layers.map(({ high }) => [...high, high.at(-1) ?? 0]);
  return [times.map((time) => time / 1000), ...values];
}

function settings({ box, bins, layers, lines, shape, height, onHover, onZoom }: PlotOptions): uPlot.Options {
  const top = topOf(layers, lines);
  const color = colorsIn(box);
  const font = `${getComputedStyle(document.documentElement).fontSize.replace('px', '') === '14' ? 11 : 13}px sans-serif`;
  const axis = { stroke: () => color('var(--quiet)'), font, ticks: { show: false } };
  const grid = { stroke: () => color('var(--line)'), width: 1 };
  return {
    width: box.clientWidth,
    height,
    padding: [INSETS.top, INSETS.right, 0, 0],
    legend: { show: false },
    tzDate: (seconds) => (isUtc() ? uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000)),
    scales: { x: { range: (_, min, max) => [min, max] }, y: { range: () => [0, top] } },
    axes: [
      { ...axis, size: INSETS.bottom, space: 64, grid: { show: false }, values: labels },
      { ...axis, size: INSETS.left, grid, splits: () => marksUpTo(top), values: (_, values) => values.map(short) },
    ],
    cursor: { y: false, points: { show: false }, drag: { x: onZoom !== undefined, y: false, setScale: false } },
    series: [{}, ...layers.map((layer) => styleOf(layer, bins, shape, color))],
    hooks: {
      setCursor: [
        ({ cursor, posToVal }) =>
          onHover(cursor.left === undefined || cursor.left < 0 ? null : posToVal(cursor.left, 'x') * 1000),
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < SHORTEST_DRAG) return;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onZoom?.(plot.posToVal(left, 'x') * 1000, plot.posToVal(left + width, 'x') * 1000);
        },
      ],
    },
  };
}

/** Marks of the value axis in quarters if they are whole numbers, otherwise in halves. */
const marksUpTo = (top: number): number[] =>
  (top % 4 === 0 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1]).map((share) => share * top);

/** Labels of the time axis; none where the edge would cut it. */
const labels: uPlot.Axis.DynamicValues = (plot, times, _, __, step) =>
  times.map((time, index) =>
    plot.valToPos(time, 'x') > plot.over.clientWidth - CUT
      ? ''
      : axisLabel(time * 1000, step < DAY_SECONDS, index === 0),
  );

function styleOf({ color: name, low, high }: Layer, bins: Bin[], shape: PlotOptions['shape'], color: Colors) {
  if (shape === 'steps') {
    const line = { stroke: () => color(name), fill: () => color('var(--accent-soft)'), points: { show: false } };
    return { ...line, width: 1.5, paths: uPlot.paths.stepped?.({ align: 1 }) };
  }
  return { fill: () => color(name), points: { show: false }, paths: bars(bins, low, high) };
}

/** Bars from `low` to `high`, as wide as their bins. */
const bars =
  (bins: Bin[], low: number[], high: number[]): uPlot.Series.PathBuilder =>
  (plot) => {
    const fill = new Path2D();
    for (const [index, { from, to }] of bins.entries()) {
      const [start, end] = [low[index] ?? 0, high[index] ?? 0];
      if (end <= start) continue;
      const [left, right] = [from, to].map((time) => plot.valToPos(Date.parse(time) / 1000, 'x', true)) as [
        number,
        number,
      ];
      const [bottom, top] = [start, end].map((value) => plot.valToPos(value, 'y', true)) as [number, number];
      const gap = Math.min(2 * devicePixelRatio, (right - left) * 0.2);
      // A small value is still visible.
      const height = Math.max(bottom - top, devicePixelRatio);
      fill.rect(left + gap / 2, bottom - height, Math.max(1, right - left - gap), height);
    }
    return { fill, stroke: null };
  };

type Colors = (css: string) => string;

/** Returns a function that resolves colors of the stylesheet, which a canvas does not know. */
function colorsIn(box: HTMLElement): Colors {
  const probe = document.createElement('span');
  probe.hidden = true;
  box.append(probe);
  return (css) => {
    probe.style.color = css;
    return getComputedStyle(probe).color;
  };
}

/** Calls `changed` when the theme changes. */
function onTheme(changed: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', changed);
  };
}

/** Calls `clicked` with the place of a click that did not end a drag. */
function onClick(area: HTMLElement, clicked: (x: number) => void): () => void {
  let began = 0;
  const down = ({ offsetX }: MouseEvent) => {
    began = offsetX;
  };
  const up = ({ offsetX }: MouseEvent) => Math.abs(offsetX - began) < SHORTEST_DRAG && clicked(offsetX);
  area.addEventListener('mousedown', down);
  area.addEventListener('click', up);
  return () => {
    area.removeEventListener('mousedown', down);
    area.removeEventListener('click', up);
  };
}
