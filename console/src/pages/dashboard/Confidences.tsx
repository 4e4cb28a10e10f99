import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { guardrails as catalogue } from '@/api/data';
import { Histogram } from '@/charts/Histogram';
import { words } from '@/lib/format';
import type { Triggered } from '@/lib/policy';
import { useMay } from '@/session/me';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';

type Props = { guardrails: string[]; from: string; project: string | undefined };

/** How sure a guardrail was of what it found, and how much of that another threshold would let go. */
export function Confidences({ guardrails, from, project }: Props) {
  const may = useMay();
  const [picked, setPicked] = useState<string | null>(null);
  const [moved, setMoved] = useState<number | null>(null);
  const known = useQuery(catalogue).data?.guardrails ?? [];
  const scored = guardrails.filter((name) => known.some(({ guardrail }) => guardrail === name));
  const guardrail = picked ?? scored[0];
  const query = useQuery({
    queryKey: ['logs', 'confidences', guardrail, from, project],
    queryFn: async () => {
      const { logs } = await answer(api.GET('/api/logs', { params: { query: { guardrail, from, project, limit: 500 } } }));
      return logs.flatMap((row) => (row.triggered_guardrails as unknown as Triggered[]).filter(({ name }) => name === guardrail).map(({ confidence }) => confidence));
    },
    enabled: guardrail !== undefined && may('LOGS:VIEW_LOG'),
  });
  const threshold = moved ?? known.find((one) => one.guardrail === guardrail)?.default_threshold ?? 0.5;
  return (
    <Card title="Confidence against threshold" note="of the latest 500 finds">
      {guardrail === undefined ? <p className="py-2 text-[13px] text-quiet">Nothing triggered in this period.</p> : (
        <div className="space-y-2">
          <Select label="Guardrail" hidden value={guardrail} options={scored.map((name) => [name, words(name)] as const)} onChange={(event) => { setPicked(event.target.value); setMoved(null); }} />
          <Loaded query={query} lines={3}>
            {(values) => <>
              <Histogram name={words(guardrail)} values={values} threshold={threshold} />
              <label className="block text-xs text-quiet">
                At {threshold.toFixed(2)}, {values.filter((value) => value < threshold).length} of {values.length} would not have triggered.
                <input type="range" aria-label="Threshold to try" min={0} max={1} step={0.01} value={threshold} onChange={(event) => setMoved(Number(event.target.value))} className="mt-1 w-full" />
              </label>
            </>}
          </Loaded>
        </div>
      )}
    </Card>
  );
}
