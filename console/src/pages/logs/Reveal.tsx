import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { isInSubject } from '@/lib/policy';
import { hasMarkers } from '@/lib/spans';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { Marked } from '@/ui/Marked';
import { ScrollArea } from '@/ui/ScrollArea';
import type { LogEntryDetails } from './useTail';

const text = messages.reveal;

/** Reveals the original text for a reason, or says why it cannot be revealed. */
export function Reveal({ entry }: { entry: LogEntryDetails }) {
  const may = usePermission();
  const [isAsking, setAsking] = useState(false);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (reason: string) =>
      answer(api.POST('/api/logs/{log_id}/reveal', { params: { path: { log_id: entry.log_id } }, body: { reason } })),
    onSuccess: () => setAsking(false),
    gcTime: 0,
  });
  if (run.data) return <Revealed entry={entry} original={run.data.text} />;
  // The stored text is the original, or nothing was stored.
  if (!entry.is_sealed && !(entry.text && hasMarkers(entry.text))) return null;
  const why = !entry.is_sealed ? text.notSealed : !may('LOGS:REVEAL_TEXT') ? text.notPermitted : null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button small disabled={why !== null} onClick={() => setAsking(true)}>
        <Eye aria-hidden size={13} />
        {text.button}
      </Button>
      {why !== null && <p className="min-w-0 flex-1 text-xs text-quiet">{why}</p>}
      {isAsking && (
        <Dialog
          title={text.title}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{common.cancel}</Button>
              <Button kind="primary" type="submit" form="reveal" busy={run.isPending}>
                {text.submit}
              </Button>
            </>
          }
        >
          <form
            id="reveal"
            className="space-y-3"
            onSubmit={(event) => {
              event.preventDefault();
              run.mutate(String(new FormData(event.currentTarget).get('reason')));
            }}
          >
            <Input label={text.reason} name="reason" required maxLength={500} hint={text.reasonHint} />
            {run.error && <ErrorNote error={run.error} />}
          </form>
        </Dialog>
      )}
    </div>
  );
}

function Revealed({ entry, original }: { entry: LogEntryDetails; original: string }) {
  const findings = entry.triggered_guardrails;
  const marks = findings.flatMap(({ name, spans }) => spans.filter(isInSubject).map((span) => ({ name, span })));
  return (
    <div className="space-y-1">
      <h3 className="text-xs font-semibold text-quiet">{text.recorded}</h3>
      <ScrollArea
        label={text.original}
        className="max-h-80 overflow-y-auto rounded-md border border-accent bg-canvas p-3"
      >
        <Marked text={original} marks={marks} />
      </ScrollArea>
    </div>
  );
}
