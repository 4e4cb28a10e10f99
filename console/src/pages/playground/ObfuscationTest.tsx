import { useMutation } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { decimal, words } from '@/lib/format';
import { OBFUSCATIONS } from '@/lib/obfuscations';
import { pool } from '@/lib/pool';
import { common } from '@/messages/common';
import { messages } from '@/messages/playground';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { evaluate, isDry, type PolicyChoice, type ShownDecision } from './evaluate';
import { PolicyPicker, usePolicyChoices } from './PolicyPicker';

type Props = {
  choice: PolicyChoice;
  onChoice: (choice: PolicyChoice) => void;
  text: string;
  onText: (text: string) => void;
};
type Result = { name: string; text: string; decision: ShownDecision };

const texts = messages.obfuscation;
const PLAIN = { name: texts.names.plain, apply: (text: string) => text };

/** Evaluates fifteen obfuscations of an attack. */
export function ObfuscationTest({ choice, onChoice, text, onText }: Props) {
  const [results, setResults] = useState<Result[]>([]);
  const dry = usePolicyChoices().policies;
  const used = isDry(choice) ? choice : dry[0]?.[0];
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      setResults([]);
      if (used === undefined) return;
      await pool([PLAIN, ...OBFUSCATIONS], 3, new AbortController().signal, async ({ name, apply }) => {
        const hidden = apply(text);
        const decision = await evaluate(used, { direction: 'input', text: hidden });
        setResults((rows) => [...rows, { name, text: hidden, decision }].sort((a, b) => order(a.name) - order(b.name)));
      });
    },
  });
  const hidden = results.filter(({ name }) => name !== PLAIN.name);
  const caught = hidden.filter(({ decision }) => !decision.allow_prompt).length;
  if (used === undefined) return <p className="text-body text-quiet">{texts.needsPolicy}</p>;
  return (
    <div className="space-y-4">
      <Card>
        <div className="space-y-3">
          <TextArea
            label={texts.attack}
            rows={3}
            value={text}
            onChange={(event) => onText(event.target.value)}
            className="font-mono text-body"
          />
          <div className="flex flex-wrap items-end gap-3">
            <div className="w-72">
              <PolicyPicker label={messages.policy} value={used} dryOnly onChange={(next) => next && onChoice(next)} />
            </div>
            <Button kind="primary" busy={run.isPending} disabled={text.trim() === ''} onClick={() => run.mutate()}>
              {texts.run}
            </Button>
          </div>
          {run.error && <ErrorNote error={run.error} />}
        </div>
      </Card>
      {results.length > 0 && (
        <Card title={<span role="status">{texts.result(caught, hidden.length)}</span>} note={texts.note}>
          <Table
            name={texts.table}
            rows={results}
            id={({ name }) => name}
            columns={[
              {
                head: texts.name,
                value: ({ name }) => name,
                cell: ({ name }) => <span className="font-medium whitespace-nowrap">{name}</span>,
              },
              {
                head: texts.stopped,
                value: ({ decision }) => (decision.allow_prompt ? common.no : common.yes),
                cell: ({ decision }) =>
                  decision.allow_prompt ? (
                    <X size={15} className="text-block" aria-label={common.no} role="img" />
                  ) : (
                    <Check size={15} className="text-allow" aria-label={common.yes} role="img" />
                  ),
              },
              {
                head: texts.decision,
                value: ({ decision }) => decision.action,
                cell: ({ decision }) => <Decision of={decision.action} />,
              },
              {
                head: texts.triggered,
                value: ({ decision }) => triggeredBy(decision),
                cell: ({ decision }) => triggeredBy(decision) || '–',
                className: 'whitespace-nowrap',
              },
              {
                head: texts.sent,
                value: ({ text }) => text,
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

const triggeredBy = ({ triggered_guardrails }: ShownDecision) =>
  triggered_guardrails.map(({ name, confidence }) => `${words(name)} ${decimal(confidence)}`).join(', ');

const order = (name: string) => OBFUSCATIONS.findIndex((obfuscation) => obfuscation.name === name);
