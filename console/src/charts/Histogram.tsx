import { decimal, count as number } from '@/lib/format';
import { common } from '@/messages/common';
import { classes } from '@/ui/classes';

type Props = { name: string; buckets: number[]; threshold: number; ticks: { at: number; label: string }[] };

/** Counts the values at or above a threshold between two buckets. */
export const above = (buckets: number[], threshold: number): number =>
  buckets.slice(Math.round(threshold * buckets.length)).reduce((sum, count) => sum + count, 0);

/**
 * A histogram of values from 0 to 1 with a threshold; bars below it are pale. Heights are logarithmic, because most
 * values are near 0.
 */
export function Histogram({ name, buckets, threshold, ticks }: Props) {
  const most = Math.log1p(Math.max(1, ...buckets));
  const all = above(buckets, 0);
  const edge = (index: number) => decimal(index / buckets.length);
  return (
    <div
      role="img"
      aria-label={common.histogram(name, number(above(buckets, threshold)), number(all), decimal(threshold))}
    >
      <div className="relative flex h-24 items-end gap-0.5 border-b border-line">
        {buckets.map((count, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: buckets have a fixed position.
            key={index}
            title={common.histogramBar(count, edge(index), edge(index + 1))}
            className={classes(
              'flex-1 rounded-t-sm',
              (index + 0.5) / buckets.length >= threshold ? 'bg-block' : 'bg-edge/40',
            )}
            style={{ height: `${(Math.log1p(count) / most) * 100}%` }}
          />
        ))}
        {ticks.map(({ at, label }) => (
          <div
            key={label}
            title={label}
            className="absolute inset-y-0 border-l border-dashed border-edge"
            style={{ left: `${at * 100}%` }}
          />
        ))}
        <div className="absolute inset-y-0 border-l-2 border-ink" style={{ left: `${threshold * 100}%` }} />
      </div>
      <div className="mt-1 flex justify-between text-2xs text-quiet">
        <span>0</span>
        <span>0.5</span>
        <span>1</span>
      </div>
    </div>
  );
}
