import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { words } from '@/lib/format';
import { STRATEGIES } from '@/lib/policy';
import { messages } from '@/messages/playground';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { ErrorNote } from '@/ui/ErrorNote';
import { TextArea } from '@/ui/Field';
import { Card } from '@/ui/Page';
import { Pill } from '@/ui/Pill';

const texts = messages.masking;

/** Masks a text with all strategies. Users with the permission can restore tokens. */
export function Masking() {
  const [text, setText] = useState<string>(messages.samples.personalData);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: () =>
      Promise.all(
        STRATEGIES.map(async (strategy) => ({
          strategy,
          ...(await answer(api.POST('/v2/pii/mask', { body: { text, strategy } }))),
        })),
      ),
  });
  return (
    <div className="space-y-4">
      <Card>
        <div className="space-y-3">
          <TextArea
            label={texts.text}
            rows={4}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="font-mono text-body"
          />
          <div className="flex flex-wrap items-center gap-3">
            <Button kind="primary" busy={run.isPending} disabled={text.trim() === ''} onClick={() => run.mutate()}>
              {texts.preview}
            </Button>
            <p className="text-xs text-quiet">{texts.cost}</p>
          </div>
          {run.error && <ErrorNote error={run.error} />}
        </div>
      </Card>
      {run.data && (
        <>
          <p className="flex flex-wrap items-center gap-1.5 text-body">
            {texts.detected}{' '}
            {run.data[0]?.pii_found.map((kind) => (
              <Pill key={kind} tone="mask">
                {words(kind)}
              </Pill>
            ))}
            {run.data[0]?.pii_found.length === 0 && texts.nothing}
          </p>
          <div className="grid gap-3 lg:grid-cols-2">
            {run.data.map(({ strategy, masked_text }) => (
              <Card
                key={strategy}
                title={words(strategy)}
                actions={<Copy text={masked_text} label={texts.copy(words(strategy))} />}
              >
                <p className="font-mono text-body break-words whitespace-pre-wrap">{masked_text}</p>
                {strategy === 'token' && <Restore text={masked_text} />}
              </Card>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

function Restore({ text }: { text: string }) {
  const may = usePermission();
  const run = useMutation({
    mutationFn: () => answer(api.POST('/v2/pii/unmask', { body: { text } })),
    meta: { shown: true },
  });
  if (!may('FIREWALL:UNMASK')) return <p className="mt-3 text-xs text-quiet">{texts.restoreDenied}</p>;
  return (
    <div className="mt-3 space-y-2">
      <Button small busy={run.isPending} onClick={() => run.mutate()}>
        {texts.restore}
      </Button>
      <span className="ml-2 text-xs text-quiet">{texts.restoreNote}</span>
      {run.error && <ErrorNote error={run.error} />}
      {run.data && (
        <p role="status" className="rounded-md bg-sunken p-3 font-mono text-body break-words whitespace-pre-wrap">
          {run.data.text}
        </p>
      )}
    </div>
  );
}
