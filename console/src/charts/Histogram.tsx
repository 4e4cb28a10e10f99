import { classes } from '@/ui/classes';

const BINS = 20;

/** How often each value from 0 to 1 comes, with a threshold; what lies below it is pale. */
export function Histogram({ name, values, threshold }: { name: string; values: number[]; threshold: number }) {
  const bins = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.floor(value * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const most = Math.max(1, ...bins);
  const over = values.filter((value) => value >= threshold).length;
  return (
    <div role="img" aria-label={`${name}: ${over} of ${values.length} at or above ${threshold.toFixed(2)}`}>
      <div className="relative flex h-24 items-end gap-0.5 border-b border-line">
        {bins.map((bin, index) => (
          <div key={index} className={classes('flex-1 rounded-t-sm', (index + 0.5) / BINS >= threshold ? 'bg-block' : 'bg-edge/40')} style={{ height: `${(bin / most) * 100}%` }} />
        ))}
        <div className="absolute inset-y-0 border-l-2 border-ink" style={{ left: `${threshold * 100}%` }} />
      </div>
      <div className="mt-1 flex justify-between text-2xs text-quiet"><span>0</span><span>0.5</span><span>1</span></div>
    </div>
  );
}
