import { decoded } from '@/lib/decode';
import { isInSubject, type Triggered } from '@/lib/policy';
import { inKept, type Mark } from '@/lib/spans';
import { Marked } from '@/ui/Marked';
import type { Row } from './useTail';

/** What was kept of the text, with the finds marked, and what stands behind disguises. */
export function StoredText({ row }: { row: Row }) {
  if (row.text == null)
    return <p className="text-body text-quiet">Nothing was kept of the text: the project’s log content is “none”.</p>;
  const finds = row.triggered_guardrails as unknown as Triggered[];
  const sent: Mark[] = finds.flatMap(({ name, spans }) => spans.filter(isInSubject).map((span) => ({ name, span })));
  const { marks, complete } = inKept(row.text, sent);
  return (
    <section aria-label="Text" className="space-y-2">
      <h3 className="text-xs font-semibold text-quiet">Text as it was kept</h3>
      <div
        className="max-h-80 overflow-y-auto rounded-md border border-line bg-canvas p-3"
        tabIndex={0}
        role="region"
        aria-label="Text as it was kept"
      >
        <Marked text={row.text} marks={marks} />
      </div>
      {!complete && (
        <p className="text-xs text-quiet">
          Personal data was replaced before the text was kept. Where finds stand after the first replacement can no
          longer be told exactly; they are not marked.
        </p>
      )}
      <Behind text={row.text} finds={finds} marks={marks} />
    </section>
  );
}

function Behind({ text, finds, marks }: { text: string; finds: Triggered[]; marks: Mark[] }) {
  const points = [...text];
  const shown = finds.flatMap(({ name, evidence }) =>
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
      <p className="mb-1 text-xs text-quiet">Decoded: {words}</p>
      <p className="font-mono text-body break-words whitespace-pre-wrap">{plain}</p>
    </div>
  ));
}
