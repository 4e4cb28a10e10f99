import type { WholeRow } from './useTail';

const STAGES: Record<string, string> = {
  policy: 'Policy and balance',
  waiting: 'Waiting for a processor',
  media: 'Pictures and speech',
  reading: 'Reading the text',
  scores: 'Learned scores',
  opinion: 'Language model',
  verdict: 'Detectors and decision',
};

/** Where the time of a request went, one stage after another. */
export function Timing({ row: { timing, processing_time_ms } }: { row: WholeRow }) {
  if (timing.length === 0) return null;
  const spent = timing.reduce((sum, { ms }) => sum + ms, 0);
  const whole = Math.max(spent, processing_time_ms);
  const starts = timing.map((_, at) => timing.slice(0, at).reduce((sum, { ms }) => sum + ms, 0));
  return (
    <section aria-label="Time" className="space-y-1.5">
      <h3 className="text-xs font-semibold text-quiet">Time until the row was written: {spent.toFixed(1)} ms</h3>
      {timing.map(({ stage, ms }, at) => (
        <div key={stage} className="grid grid-cols-[10.5rem_minmax(0,1fr)_4.5rem] items-center gap-x-3 text-body">
          <span className="truncate text-quiet">{STAGES[stage] ?? stage}</span>
          <span className="relative h-2 rounded-full bg-sunken" aria-hidden>
            <span
              className="absolute inset-y-0 min-w-0.5 rounded-full bg-accent"
              style={{ left: `${((starts[at] ?? 0) / whole) * 100}%`, width: `${(ms / whole) * 100}%` }}
            />
          </span>
          <span className="tabular text-right">{ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms</span>
        </div>
      ))}
    </section>
  );
}
