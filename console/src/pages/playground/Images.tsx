import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { messages } from '@/messages/playground';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { Marked } from '@/ui/Marked';
import { Card } from '@/ui/Page';
import { DecisionCard } from './DecisionCard';
import { type PolicyChoice, senderOf, toShown } from './evaluate';
import { Files } from './Files';
import { PolicyPicker } from './PolicyPicker';

const text = messages.images;

/** Evaluates a prompt together with the text in its images. There is no dry run, because OCR is expensive. */
export function Images({ choice, onChoice }: { choice: PolicyChoice; onChoice: (choice: PolicyChoice) => void }) {
  const [prompt, setPrompt] = useState<string>(messages.samples.imagePrompt);
  const [files, setFiles] = useState<File[]>([]);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      const images = await Promise.all(files.map(asDataUrl));
      const body = { prompt, images, ...senderOf(choice) } as Schema<'Prompt'>;
      const decision = await answer(api.POST('/v2/guardengine/svc_firewall_analyze', { body }));
      return {
        decision: toShown(decision, decision.masked_prompt, decision.log_id),
        texts: decision.image_texts ?? [],
        masked: decision.masked_images ?? [],
        names: files.map(({ name }) => name),
      };
    },
  });
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card className="self-start">
        <div className="space-y-3">
          <TextArea
            label={messages.prompt}
            rows={3}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
            className="font-mono text-body"
          />
          <Files
            label={text.choose}
            accept="image/png,image/jpeg,image/webp,application/pdf"
            multiple
            files={files}
            onChoose={setFiles}
            hint={text.hint}
          />
          <PolicyPicker label={messages.policy} value={choice} liveOnly onChange={(next) => next && onChoice(next)} />
          <Button kind="primary" busy={run.isPending} disabled={files.length === 0} onClick={() => run.mutate()}>
            {messages.sendLive}
          </Button>
          {run.error && <ErrorNote error={run.error} />}
        </div>
      </Card>
      {run.data && (
        <div className="space-y-4">
          <DecisionCard
            choice={choice}
            subject={{ direction: 'input', text: prompt }}
            decision={run.data.decision}
            stale={run.isPending}
          />
          {run.data.texts.map((read, index) => {
            const marks = run.data.decision.triggered_guardrails.flatMap(({ name, spans }) =>
              spans.filter(({ image }) => image === index).map((span) => ({ name, span })),
            );
            const masked = run.data.masked[index];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: results keep the order of the request.
              <Card key={index} title={run.data.names[index] ?? text.image(index + 1)} note={text.note}>
                <div className="space-y-3">
                  {read === '' ? (
                    <p className="text-body text-quiet">{text.empty}</p>
                  ) : (
                    <Marked text={read} marks={marks} />
                  )}
                  {masked != null && (
                    <img
                      src={`data:image/png;base64,${masked}`}
                      alt={text.redacted(run.data.names[index] ?? text.image(index + 1))}
                      className="max-h-96 max-w-full rounded-md border border-line"
                    />
                  )}
                </div>
              </Card>
            );
          })}
        </div>
      )}
    </div>
  );
}

const asDataUrl = (file: File): Promise<string> =>
  new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => failed(reader.error ?? new Error(text.unreadable));
    reader.readAsDataURL(file);
  });
