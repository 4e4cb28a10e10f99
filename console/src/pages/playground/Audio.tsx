import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schema, send } from '@/api/client';
import { refused } from '@/api/error';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Toggle } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { DecisionCard } from './DecisionCard';
import { type PolicyChoice, senderOf, shown } from './evaluate';
import { Files } from './Files';
import { PolicyPicker } from './PolicyPicker';
import { Transcript } from './Transcript';

/** A recording: what is said in it is judged as a prompt is. */
export function Audio({ judge, onChoice }: { judge: PolicyChoice; onChoice: (judge: PolicyChoice) => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const [silence, setSilence] = useState(true);
  const run = useMutation({ meta: { shown: true }, mutationFn: (file: File) => heard(file, judge, silence) });
  const decision = run.data && shown(run.data, run.data.masked_prompt, run.data.log_id);
  const marks =
    decision?.triggered_guardrails.flatMap(({ name, spans }) =>
      spans.filter(({ transcript }) => transcript === true).map((span) => ({ name, span })),
    ) ?? [];
  const [file] = files;
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card className="self-start">
        <div className="space-y-3">
          <Files
            label="Choose a recording"
            accept=".wav,.mp3,.flac,.ogg,.m4a,.webm,audio/*"
            files={files}
            onChoose={setFiles}
            hint="wav, mp3, flac, ogg, m4a or webm"
          />
          <Toggle label="Silence personal data where the policy masks" checked={silence} onChange={setSilence} />
          <PolicyPicker label="Judged by" value={judge} liveOnly onChange={(next) => next && onChoice(next)} />
          <Button
            kind="primary"
            busy={run.isPending}
            disabled={file === undefined}
            onClick={() => file && run.mutate(file)}
          >
            Send as an application
          </Button>
          {run.error && <ErrorNote error={run.error} />}
        </div>
      </Card>
      {run.data && decision && (
        <div className="space-y-4">
          <DecisionCard
            judge={judge}
            subject={{ direction: 'input', text: '' }}
            decision={decision}
            stale={run.isPending}
          />
          <Transcript heard={run.data} recording={run.variables} marks={marks} />
        </div>
      )}
    </div>
  );
}

async function heard(file: File, judge: PolicyChoice, silence: boolean): Promise<Schema<'RecordingDecision'>> {
  const form = new FormData();
  form.set('file', file);
  form.set('silence_pii', String(silence));
  for (const [name, value] of Object.entries(senderOf(judge))) if (value !== undefined) form.set(name, value);
  const response = await send(new Request('/v2/guardengine/analyze_audio', { method: 'POST', body: form }));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refused(response, body);
  return body as Schema<'RecordingDecision'>;
}
