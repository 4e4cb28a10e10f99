import { decimal } from '@/lib/format';
import { common } from '@/messages/common';
/** A confidence from 0 to 1 as a bar, with its threshold. */
export function Meter({ label, value, threshold }: { label: string; value: number; threshold: number | null }) {
  const isOver = threshold !== null && value >= threshold;
  const description =
    threshold === null
      ? common.meter(label, decimal(value))
      : common.meterWithThreshold(label, decimal(value), decimal(threshold));
  return (
    <div role="img" aria-label={description} className="relative h-2 w-full min-w-16 rounded-full bg-sunken">
      <div
        className={`h-full rounded-full ${isOver ? 'bg-block' : 'bg-accent'}`}
        style={{ width: `${value * 100}%` }}
      />
      {threshold !== null && (
        <div className="absolute -top-1 h-4 w-0.5 bg-ink" style={{ left: `${threshold * 100}%` }} />
      )}
    </div>
  );
}
