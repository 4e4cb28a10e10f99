import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schema, send } from '@/api/client';
import { toApiError } from '@/api/error';
import { at } from '@/lib/base';
import { messages } from '@/messages/playground';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Toggle } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { DecisionCard } from './DecisionCard';
import { type PolicyChoice, senderOf, toShown } from './evaluate';
import { Files } from './Files';
import { PolicyPicker } from './PolicyPicker';
import { Transcript } from './Transcript';

const text = messages.audio;

/** Evaluates the transcript of an audio file as a prompt. */
export function Audio({ choice, onChoice }: { choice: PolicyChoice; onChoice: (choice: PolicyChoice) => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const [mute, setMute] = useState(true);
  const run = useMutation({ meta: { shown: true }, mutationFn: (file: File) => transcribe(file, choice, mute) });
  const decision = run.data && toShown(run.data, run.data.masked_prompt, run.data.log_id);
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
            label={text.choose}
            accept=".wav,.mp3,.flac,.ogg,.m4a,.webm,audio/*"
            files={files}
            onChoose={setFiles}
            hint={text.hint}
          />
          <Toggle label={text.mute} checked={mute} onChange={setMute} />
          <PolicyPicker label={messages.policy} value={choice} liveOnly onChange={(next) => next && onChoice(next)} />
          <Button
            kind="primary"
            busy={run.isPending}
            disabled={file === undefined}
            onClick={() => file && run.mutate(file)}
          >
            {messages.sendLive}
          </Button>
          {run.error && <ErrorNote error={run.error} />}
        </div>
      </Card>
      {run.data && decision && (
        <div className="space-y-4">
          <DecisionCard
            choice={choice}
            subject={{ direction: 'input', text: '' }}
            decision={decision}
            stale={run.isPending}
          />
          <Transcript transcription={run.data} audio={run.variables} marks={marks} />
        </div>
      )}
    </div>
  );
}

async function transcribe(file: File, choice: PolicyChoice, mute: boolean): Promise<Schema<'RecordingDecision'>> {
  const form = new FormData();
  form.set('file', file);
  form.set('silence_pii', String(mute));
  for (const [name, value] of Object.entries(senderOf(choice))) if (value !== undefined) form.set(name, value);
  const response = await send(new Request(at('/v2/guardengine/analyze_audio'), { method: 'POST', body: form }));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response, body);
  return body as Schema<'RecordingDecision'>;
}
