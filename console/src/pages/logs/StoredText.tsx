import { decoded } from '@/lib/decode';
import { shownEvidence } from '@/lib/evidence';
import { isInSubject, type Triggered } from '@/lib/policy';
import { inStoredText, type Mark } from '@/lib/spans';
import { messages } from '@/messages/logs';
import { Marked } from '@/ui/Marked';
import { ScrollArea } from '@/ui/ScrollArea';
import type { LogEntry } from './useTail';

/** Shows the stored text with highlighted findings, and decoded text. */
export function StoredText({ entry }: { entry: LogEntry }) {
  if (entry.text == null) return <p className="text-body text-quiet">{messages.text.none}</p>;
  const findings = entry.triggered_guardrails;
  const sent: Mark[] = findings.flatMap(({ name, spans }) => spans.filter(isInSubject).map((span) => ({ name, span })));
  const { marks, complete } = inStoredText(entry.text, sent);
  return (
    <section aria-label={messages.text.label} className="space-y-2">
      <h3 className="text-xs font-semibold text-quiet">{messages.text.title}</h3>
      <ScrollArea
        label={messages.text.title}
        className="max-h-80 overflow-y-auto rounded-md border border-line bg-canvas p-3"
      >
        <Marked text={entry.text} marks={marks} />
      </ScrollArea>
      {!complete && <p className="text-xs text-quiet">{messages.text.incomplete}</p>}
      <Decoded text={entry.text} findings={findings} marks={marks} />
    </section>
  );
}

function Decoded({ text, findings, marks }: { text: string; findings: Triggered[]; marks: Mark[] }) {
  const points = [...text];
  const shown = findings.flatMap(({ name, evidence }) =>
    evidence.flatMap((words) =>
      marks
        .filter((mark) => mark.name === name)
        .flatMap(({ span }) => {
          const plain = decoded(points.slice(span.start, span.end).join(''), words);
          return plain === null ? [] : [{ words, plain }];
        }),
    ),
  );
  return shown.map(({ words, plain }) => (
    <div key={words + plain} className="rounded-md border border-line p-3">
      <p className="mb-1 text-xs text-quiet">{messages.text.decoded(shownEvidence(words))}</p>
      <p className="font-mono text-body break-words whitespace-pre-wrap">{plain}</p>
    </div>
  ));
}
