import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { Marked } from '@/ui/Marked';
import { Card } from '@/ui/Page';
import { DecisionCard } from './DecisionCard';
import { type PolicyChoice, senderOf, shown } from './evaluate';
import { Files } from './Files';
import { PolicyPicker } from './PolicyPicker';

/** A prompt with pictures, whose text is judged with it. Pictures have no dry run: reading them costs a processor. */
export function Images({ judge, onChoice }: { judge: PolicyChoice; onChoice: (judge: PolicyChoice) => void }) {
  const [prompt, setPrompt] = useState('What does this say?');
  const [files, setFiles] = useState<File[]>([]);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      const images = await Promise.all(files.map(asDataUrl));
      const body = { prompt, images, ...senderOf(judge) } as Schema<'Prompt'>;
      const decision = await answer(api.POST('/v2/guardengine/svc_firewall_analyze', { body }));
      return {
        decision: shown(decision, decision.masked_prompt, decision.log_id),
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
            label="Prompt"
            rows={3}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
            className="font-mono text-body"
          />
          <Files
            label="Choose pictures"
            accept="image/png,image/jpeg,image/webp,application/pdf"
            multiple
            files={files}
            onChoose={setFiles}
            hint="PNG, JPEG, WebP, or PDF of one page"
          />
          <PolicyPicker label="Judged by" value={judge} liveOnly onChange={(next) => next && onChoice(next)} />
          <Button kind="primary" busy={run.isPending} disabled={files.length === 0} onClick={() => run.mutate()}>
            Send as an application
          </Button>
          {run.error && <ErrorNote error={run.error} />}
        </div>
      </Card>
      {run.data && (
        <div className="space-y-4">
          <DecisionCard
            judge={judge}
            subject={{ direction: 'input', text: prompt }}
            decision={run.data.decision}
            stale={run.isPending}
          />
          {run.data.texts.map((text, index) => {
            const marks = run.data.decision.triggered_guardrails.flatMap(({ name, spans }) =>
              spans.filter(({ image }) => image === index).map((span) => ({ name, span })),
            );
            const masked = run.data.masked[index];
            return (
              <Card key={index} title={run.data.names[index] ?? `Picture ${index + 1}`} note="what was read">
                <div className="space-y-3">
                  {text === '' ? (
                    <p className="text-body text-quiet">Nothing was read in it.</p>
                  ) : (
                    <Marked text={text} marks={marks} />
                  )}
                  {masked != null && (
                    <img
                      src={`data:image/png;base64,${masked}`}
                      alt={`${run.data.names[index]} with its personal data painted over`}
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
    reader.onerror = () => failed(reader.error ?? new Error('the file cannot be read'));
    reader.readAsDataURL(file);
  });
