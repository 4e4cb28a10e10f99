import type { Schema } from '@/api/client';
import { milliseconds } from '@/lib/format';
import { messages } from '@/messages/dashboard';
import { Card } from '@/ui/Page';

/** Shows the time that requests took in the service. */
export function Latency({ latency }: { latency: Schema<'Latency'> }) {
  const most = Math.max(1, latency.p99 ?? 0);
  return (
    <Card title={messages.latency.title} note={messages.latency.note}>
      <dl className="space-y-3">
        {(['p50', 'p95', 'p99'] as const).map((name) => (
          <div key={name} className="grid grid-cols-[2.5rem_1fr_4.5rem] items-center gap-2 text-body">
            <dt className="text-quiet">{name}</dt>
            <dd aria-hidden className="h-2 rounded-full bg-sunken">
              <div
                className="h-full rounded-full bg-accent"
                style={{ width: `${((latency[name] ?? 0) / most) * 100}%` }}
              />
            </dd>
            <dd className="tabular text-right font-medium">
              {latency[name] == null ? '–' : milliseconds(latency[name])}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-xs text-quiet">{messages.latency.help}</p>
    </Card>
  );
}
