import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '@/api/client';
import { guardrails as catalogue, policies } from '@/api/data';
import { above, Histogram } from '@/charts/Histogram';
import { count, decimal, words } from '@/lib/format';
import { messages } from '@/messages/dashboard';
import { usePermission } from '@/session/me';
import { Select } from '@/ui/Field';
import { Card } from '@/ui/Page';

const text = messages.confidence;

type Props = { confidences: Schema<'Confidences'>[]; top: string[] };

// Thresholds lie between two buckets, so that counts are exact.
const STEP = 0.05;

/** Shows the confidences of all requests for a guardrail, and how many reach another threshold. */
export function ConfidenceHistogram({ confidences, top }: Props) {
  const may = usePermission();
  const [picked, setPicked] = useState<string | null>(null);
  const [moved, setMoved] = useState<number | null>(null);
  const known = useQuery(catalogue).data?.guardrails ?? [];
  const stored = useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data ?? [];
  const names = confidences.map(({ guardrail }) => guardrail);
  const name = picked ?? top.find((one) => names.includes(one)) ?? names[0];
  const buckets = confidences.find(({ guardrail }) => guardrail === name)?.buckets ?? [];
  const usual = known.find(({ guardrail }) => guardrail === name)?.default_threshold ?? 0.5;
  const threshold = moved ?? Math.round(usual / STEP) * STEP;
  const ticks = stored.flatMap(({ policyName, guardrails }) =>
    guardrails
      .filter(({ guardrail, enabled }) => enabled && guardrail === name)
      .map((item) => ({ at: item.threshold, label: text.policy(policyName, decimal(item.threshold)) })),
  );
  return (
    <Card title={text.title} note={text.note}>
      {name === undefined ? (
        <p className="py-2 text-body text-quiet">{text.empty}</p>
      ) : (
        <div className="space-y-2">
          <Select
            label={text.guardrail}
            hidden
            value={name}
            options={names.map((one) => [one, words(one)] as const)}
            onChange={(event) => {
              setPicked(event.target.value);
              setMoved(null);
            }}
          />
          <Histogram name={words(name)} buckets={buckets} threshold={threshold} ticks={ticks} />
          <label className="block text-xs text-quiet">
            {text.reached(count(above(buckets, threshold)), count(above(buckets, 0)), decimal(threshold))}
            <input
              type="range"
              aria-label={text.threshold}
              min={STEP}
              max={0.95}
              step={STEP}
              value={threshold}
              onChange={(event) => setMoved(Number(event.target.value))}
              className="mt-1 w-full"
            />
          </label>
          {ticks.length > 0 && (
            <p className="text-xs text-quiet">
              {text.policies([...new Set(ticks.map(({ label }) => label))].slice(0, 4).join(', '))}
            </p>
          )}
        </div>
      )}
    </Card>
  );
}
