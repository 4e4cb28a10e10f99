import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { common } from '@/messages/common';
import { messages } from '@/messages/playground';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { Waiting } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { CopyAs } from './CopyAs';
import { DecisionCard } from './DecisionCard';
import { evaluate, isDry, type PolicyChoice, type Subject } from './evaluate';
import { PolicyPicker } from './PolicyPicker';

type Props = {
  direction: 'input' | 'output';
  choice: PolicyChoice;
  onChoice: (choice: PolicyChoice) => void;
  text: string;
  onText: (text: string) => void;
};

const PAUSE = 350;

/** Evaluates one text, with one policy or with two side by side. Dry runs update while the user types. */
export function SingleText({ direction, choice, onChoice, text, onText }: Props) {
  const [other, setOther] = useState<PolicyChoice | ''>('');
  const subject: Subject = { direction, text };
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card className="self-start">
        <div className="space-y-3">
          <TextArea
            label={direction === 'input' ? messages.prompt : messages.modelResponse}
            rows={8}
            value={text}
            onChange={(event) => onText(event.target.value)}
            className="font-mono text-body"
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <PolicyPicker label={messages.policy} value={choice} onChange={(next) => next && onChoice(next)} />
            <PolicyPicker
              label={messages.compareWith}
              value={other}
              onChange={setOther}
              optional={common.none}
              dryOnly
            />
          </div>
          <CopyAs subject={{ direction, text }} choice={choice} />
        </div>
      </Card>
      <div className={`grid gap-4 ${other ? 'lg:grid-cols-2' : ''}`}>
        <EvaluationResult choice={choice} subject={subject} />
        {other && <EvaluationResult choice={other} subject={subject} />}
      </div>
    </div>
  );
}

/** Evaluates a subject: dry runs immediately, live requests on demand. */
export const EvaluationResult = ({ choice, subject }: { choice: PolicyChoice; subject: Subject }) =>
  isDry(choice) ? (
    <DryRun key={choice} choice={choice} subject={subject} />
  ) : (
    <LiveRun key={choice} choice={choice} subject={subject} />
  );

function DryRun({ choice, subject: typed }: { choice: PolicyChoice; subject: Subject }) {
  const subject = useDebounced(typed, PAUSE);
  const query = useQuery({
    queryKey: ['dry run', choice, subject],
    queryFn: ({ signal }) => evaluate(choice, subject, signal),
    enabled: subject.text.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (query.isError) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  return query.data ? (
    <DecisionCard choice={choice} subject={subject} decision={query.data} stale={query.isPlaceholderData} />
  ) : (
    <Card>
      <Waiting />
    </Card>
  );
}

/** Sends a live request on demand, because it costs credits and is logged. */
function LiveRun({ choice, subject }: { choice: PolicyChoice; subject: Subject }) {
  const run = useMutation({ mutationFn: (asked: Subject) => evaluate(choice, asked), meta: { shown: true } });
  return (
    <div className="space-y-3">
      <Button
        kind="primary"
        busy={run.isPending}
        disabled={subject.text.trim() === ''}
        onClick={() => run.mutate(subject)}
      >
        {messages.sendLive}
      </Button>
      {run.error && <ErrorNote error={run.error} />}
      {run.data && <DecisionCard choice={choice} subject={run.variables} decision={run.data} stale={run.isPending} />}
    </div>
  );
}

/** Returns a value once it has not changed for `pause` milliseconds. */
function useDebounced<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value);
  const written = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(written) as T), pause);
    return () => clearTimeout(timer);
  }, [written, pause]);
  return settled;
}
