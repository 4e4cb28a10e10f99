import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema, send } from '@/api/client';
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
/** Milliseconds between two looks at a job. */
const POLL = 2000;

/** Evaluates the transcript of an audio file as a prompt. */
export function Audio({ choice, onChoice }: { choice: PolicyChoice; onChoice: (choice: PolicyChoice) => void }) {
  const [files, setFiles] = useState<File[]>([]);
  const [mute, setMute] = useState(true);
  const [progress, setProgress] = useState<number | null>(null);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (file: File) => transcribe(file, choice, mute, setProgress),
  });
  const decision = run.data && toShown(run.data.decision, run.data.decision.masked_prompt, run.data.decision.log_id);
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
          {progress !== null && (
            <p role="status" className="text-body text-quiet">
              {text.progress(Math.round(progress * 100))}
            </p>
          )}
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
          <Transcript transcription={run.data.decision} audio={run.variables} muted={run.data.muted} marks={marks} />
        </div>
      )}
    </div>
  );
}

/** A decision, and the audio without personal data. */
type Answer = { decision: Schema<'RecordingDecision'>; muted: Blob | null };

/** Evaluates a file, and waits if the service does so in the background. */
async function transcribe(
  file: File,
  choice: PolicyChoice,
  mute: boolean,
  onProgress: (share: number | null) => void,
): Promise<Answer> {
  const form = new FormData();
  form.set('file', file);
  form.set('silence_pii', String(mute));
  for (const [name, value] of Object.entries(senderOf(choice))) if (value !== undefined) form.set(name, value);
  const response = await send(new Request(at('/v2/guardengine/analyze_audio'), { method: 'POST', body: form }));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response, body);
  if (response.status !== 202) {
    const decision = body as Answer['decision'];
    return { decision, muted: decision.silenced_audio == null ? null : wav(decision.silenced_audio) };
  }
  try {
    return await finished((body as Schema<'AcceptedJob'>).job_id, onProgress);
  } finally {
    onProgress(null);
  }
}

async function finished(job_id: string, onProgress: (share: number) => void): Promise<Answer> {
  for (;;) {
    const job = await answer(api.GET('/api/jobs/{job_id}', { params: { path: { job_id } } }));
    if (job.result != null) {
      return { decision: job.result, muted: job.result.audio_url == null ? null : await mutedAudio(job_id) };
    }
    if (job.status === 'failed') throw new Error(job.error ?? text.failed);
    onProgress(job.progress);
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

function mutedAudio(job_id: string): Promise<Blob> {
  const params = { path: { job_id } };
  return answer(api.GET('/api/jobs/{job_id}/audio', { params, parseAs: 'blob' }));
}

const wav = (base64: string) =>
  new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'audio/wav' });
