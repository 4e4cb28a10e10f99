import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { Waiting } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { CopyAs } from './CopyAs';
import { DecisionCard } from './DecisionCard';
import { decide, isDry, type PolicyChoice, type Subject } from './evaluate';
import { PolicyPicker } from './PolicyPicker';

type Props = {
  direction: 'input' | 'output';
  judge: PolicyChoice;
  onChoice: (judge: PolicyChoice) => void;
  text: string;
  onText: (text: string) => void;
};

const PAUSE = 350;

/** One text, judged while it is typed where that is free, by one policy or by two side by side. */
export function SingleText({ direction, judge, onChoice, text, onText }: Props) {
  const [other, setOther] = useState<PolicyChoice | ''>('');
  const subject: Subject = { direction, text };
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card className="self-start">
        <div className="space-y-3">
          <TextArea
            label={direction === 'input' ? 'Prompt' : 'Response of the model'}
            rows={8}
            value={text}
            onChange={(event) => onText(event.target.value)}
            className="font-mono text-body"
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <PolicyPicker label="Judged by" value={judge} onChange={(next) => next && onChoice(next)} />
            <PolicyPicker label="Beside it" value={other} onChange={setOther} optional="nothing" dryOnly />
          </div>
          <CopyAs subject={{ direction, text }} judge={judge} />
        </div>
      </Card>
      <div className={`grid gap-4 ${other ? 'lg:grid-cols-2' : ''}`}>
        <Judged judge={judge} subject={subject} />
        {other && <Judged judge={other} subject={subject} />}
      </div>
    </div>
  );
}

/** What becomes of a subject: at once where asking is free, else when told to. */
export const Judged = ({ judge, subject }: { judge: PolicyChoice; subject: Subject }) =>
  isDry(judge) ? (
    <DryRun key={judge} judge={judge} subject={subject} />
  ) : (
    <Sent key={judge} judge={judge} subject={subject} />
  );

function DryRun({ judge, subject: typed }: { judge: PolicyChoice; subject: Subject }) {
  const subject = useSettled(typed, PAUSE);
  const query = useQuery({
    queryKey: ['dry run', judge, subject],
    queryFn: ({ signal }) => decide(judge, subject, signal),
    enabled: subject.text.trim() !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (query.isError) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  return query.data ? (
    <DecisionCard judge={judge} subject={subject} decision={query.data} stale={query.isPlaceholderData} />
  ) : (
    <Card>
      <Waiting />
    </Card>
  );
}

/** As an application asks: only when told to, for it costs and is logged. */
function Sent({ judge, subject }: { judge: PolicyChoice; subject: Subject }) {
  const run = useMutation({ mutationFn: (asked: Subject) => decide(judge, asked), meta: { shown: true } });
  return (
    <div className="space-y-3">
      <Button
        kind="primary"
        busy={run.isPending}
        disabled={subject.text.trim() === ''}
        onClick={() => run.mutate(subject)}
      >
        Send as an application
      </Button>
      {run.error && <ErrorNote error={run.error} />}
      {run.data && <DecisionCard judge={judge} subject={run.variables} decision={run.data} stale={run.isPending} />}
    </div>
  );
}

/** A value once it has been the same for `pause` milliseconds. */
function useSettled<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value);
  const written = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(written) as T), pause);
    return () => clearTimeout(timer);
  }, [written, pause]);
  return settled;
}
