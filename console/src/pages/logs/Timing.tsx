import { decimal, words } from '@/lib/format';
import { messages } from '@/messages/logs';
import type { LogEntryDetails } from './useTail';

/** Shows how long each stage of a request took. */
export function Timing({ entry: { timing, processing_time_ms } }: { entry: LogEntryDetails }) {
  if (timing.length === 0) return null;
  const spent = timing.reduce((sum, { ms }) => sum + ms, 0);
  const whole = Math.max(spent, processing_time_ms);
  const starts = timing.map((_, at) => timing.slice(0, at).reduce((sum, { ms }) => sum + ms, 0));
  return (
    <section aria-label={messages.timing.label} className="space-y-1.5">
      <h3 className="text-xs font-semibold text-quiet">{messages.timing.title(decimal(spent, 1))}</h3>
      {timing.map(({ stage, ms }, at) => (
        <div
          key={stage}
          className="grid grid-cols-[12.5rem_minmax(0,1fr)_4.5rem] max-sm:grid-cols-[9rem_minmax(0,1fr)_4.5rem] items-center gap-x-3 text-body"
        >
          <span className="truncate text-quiet">{messages.timing.stages[stage] ?? words(stage)}</span>
          <span className="relative h-2 rounded-full bg-sunken" aria-hidden>
            <span
              className="absolute inset-y-0 min-w-0.5 rounded-full bg-accent"
              style={{ left: `${((starts[at] ?? 0) / whole) * 100}%`, width: `${(ms / whole) * 100}%` }}
            />
          </span>
          <span className="tabular text-right">{messages.timing.duration(decimal(ms, ms < 10 ? 2 : 0))}</span>
        </div>
      ))}
    </section>
  );
}
