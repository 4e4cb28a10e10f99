import type { Schema } from '@/api/client';
import { words } from '@/lib/format';
import { messages as text } from '@/messages/engine';
import { Card } from '@/ui/Page';
import { Pill, type Tone } from '@/ui/Pill';

type Check = Schema<'ReadinessCheck'>;

const TONES: Record<Check['status'], Tone> = { ok: 'allow', warning: 'challenge', failed: 'block' };

/** The state of each part of the service. */
export function Checks({ of: checks }: { of: Check[] }) {
  return (
    <Card title={text.checks}>
      <ul className="space-y-1">
        {checks.map(({ name, status }) => (
          <li key={name} className="flex items-center justify-between gap-3 text-body">
            <span>{text.checkNames[name] ?? words(name)}</span>
            <Pill tone={TONES[status]}>{text.checkStates[status]}</Pill>
          </li>
        ))}
      </ul>
    </Card>
  );
}
