import { useMutation } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { words } from '@/lib/format';
import { OBFUSCATIONS } from '@/lib/obfuscations';
import { pool } from '@/lib/pool';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { decide, isDry, type PolicyChoice, type Shown } from './evaluate';
import { PolicyPicker, usePolicyChoices } from './PolicyPicker';

type Props = {
  judge: PolicyChoice;
  onChoice: (judge: PolicyChoice) => void;
  text: string;
  onText: (text: string) => void;
};
type Result = { name: string; text: string; decision: Shown };

const PLAIN = { name: 'Plain', apply: (text: string) => text };

/** The same attack in fifteen disguises, and which of them the policy still sees. */
export function ObfuscationTest({ judge, onChoice, text, onText }: Props) {
  const [results, setResults] = useState<Result[]>([]);
  const dry = usePolicyChoices().policies;
  const used = isDry(judge) ? judge : dry[0]?.[0];
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      setResults([]);
      if (used === undefined) return;
      await pool([PLAIN, ...OBFUSCATIONS], 3, new AbortController().signal, async ({ name, apply }) => {
        const hidden = apply(text);
        const decision = await decide(used, { direction: 'input', text: hidden });
        setResults((rows) => [...rows, { name, text: hidden, decision }].sort((a, b) => order(a.name) - order(b.name)));
      });
    },
  });
  const hidden = results.filter(({ name }) => name !== PLAIN.name);
  const caught = hidden.filter(({ decision }) => !decision.allow_prompt).length;
  if (used === undefined)
    return (
      <p className="text-body text-quiet">
        The mutator asks sixteen times, as dry runs of a policy. Make a policy first.
      </p>
    );
  return (
    <div className="space-y-4">
      <Card>
        <div className="space-y-3">
          <TextArea
            label="Attack"
            rows={3}
            value={text}
            onChange={(event) => onText(event.target.value)}
            className="font-mono text-body"
          />
          <div className="flex flex-wrap items-end gap-3">
            <div className="w-72">
              <PolicyPicker label="Judged by" value={used} dryOnly onChange={(next) => next && onChoice(next)} />
            </div>
            <Button kind="primary" busy={run.isPending} disabled={text.trim() === ''} onClick={() => run.mutate()}>
              Try fifteen disguises
            </Button>
          </div>
          {run.error && <ErrorNote error={run.error} />}
        </div>
      </Card>
      {results.length > 0 && (
        <Card
          title={
            <span role="status">
              {caught} of {hidden.length} disguises stopped
            </span>
          }
          note="computed in this browser"
        >
          <Table
            name="Disguises"
            rows={results}
            id={({ name }) => name}
            columns={[
              { head: 'Disguise', cell: ({ name }) => <span className="font-medium whitespace-nowrap">{name}</span> },
              {
                head: 'Stopped',
                cell: ({ decision }) =>
                  decision.allow_prompt ? (
                    <X size={15} className="text-block" aria-label="no" role="img" />
                  ) : (
                    <Check size={15} className="text-allow" aria-label="yes" role="img" />
                  ),
              },
              { head: 'Decision', cell: ({ decision }) => <Decision of={decision.action} /> },
              {
                head: 'Triggered',
                cell: ({ decision }) =>
                  decision.triggered_guardrails
                    .map(({ name, confidence }) => `${words(name)} ${confidence.toFixed(2)}`)
                    .join(', ') || '–',
                className: 'whitespace-nowrap',
              },
              {
                head: 'As it was sent',
                cell: ({ text }) => (
                  <code className="block max-w-md truncate font-mono text-xs text-quiet">{text}</code>
                ),
              },
            ]}
          />
        </Card>
      )}
    </div>
  );
}

const order = (name: string) => OBFUSCATIONS.findIndex((mutation) => mutation.name === name);
