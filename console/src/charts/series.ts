import type { Range } from '@/lib/period';

/** A bar of a chart: its time, its description, and its row in the table view. */
export type Bin = Range & { label: string; description: string };

/** Values over time, one for each bin. `group` gathers series that are shown or hidden together. */
export type Series = { id: string; name: string; color: string; values: number[]; group?: string };

/** A point in time that is named above the chart. */
export type Marker = { id: string; time: string; label: string };

/** A value that the chart is compared with. */
export type Line = { id: string; value: number; label: string };

/** A part of a stack: its lower and upper end in each bin. */
export type Layer = { id: string; color: string; low: number[]; high: number[] };

/** Stacks series in their order, the first one at the bottom. */
export function stacked(series: Series[]): Layer[] {
  let low: number[] = (series[0]?.values ?? []).map(() => 0);
  return series.map(({ id, color, values }) => {
    const high = low.map((start, index) => start + (values[index] ?? 0));
    const layer = { id, color, low, high };
    low = high;
    return layer;
  });
}

/** Returns the index of the bin at a time in milliseconds, the nearest one for times outside. */
export function binAt(bins: Bin[], time: number): number {
  const next = bins.findIndex(({ to }) => time < Date.parse(to));
  return next === -1 ? bins.length - 1 : next;
}

/** Returns the range over two bins and those between them. */
export function rangeOver(bins: Bin[], one: number, other: number): Range | null {
  const [first, last] = [bins[Math.min(one, other)], bins[Math.max(one, other)]];
  return first && last ? { from: first.from, to: last.to } : null;
}

/** Series by their group in the order of the first ones; the group of series without one is empty. */
export function groupsOf(series: Series[]): { group: string; series: Series[] }[] {
  const groups = new Map<string, Series[]>();
  for (const one of series) groups.set(one.group ?? '', [...(groups.get(one.group ?? '') ?? []), one]);
  return [...groups].map(([group, of]) => ({ group, series: of }));
}
