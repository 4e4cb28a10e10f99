import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { guardrails } from '@/api/data';
import { shownEvidence } from '@/lib/evidence';
import { count, decimal, inSentence, words } from '@/lib/format';
import { isInSubject, type Span } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/playground';
import { Copy } from '@/ui/Copy';
import { classes } from '@/ui/classes';
import { Marked } from '@/ui/Marked';
import { Meter } from '@/ui/Meter';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { ScrollArea } from '@/ui/ScrollArea';
import type { PolicyChoice, ShownDecision, Subject } from './evaluate';
import { Gauge } from './Gauge';
import { usePolicyOf } from './usePolicyOf';

const text = messages.decision;

/** Names the documents, images, turns or audio that contain the findings, if they are not in the text itself. */
function elsewhere(spans: Span[]): string {
  const places = spans.flatMap(({ document, image, turn, transcript }) =>
    document !== undefined
      ? [text.document(document + 1)]
      : image !== undefined
        ? [text.image(image + 1)]
        : turn !== undefined
          ? [text.turn(turn + 1)]
          : transcript
            ? [text.audio]
            : [],
  );
  return text.evidenceIn([...new Set(places)]);
}

type Props = { choice: PolicyChoice; subject: Subject; decision: ShownDecision; stale: boolean };

/** Shows a decision with its reason and evidence. */
export function DecisionCard({ choice, subject, decision, stale }: Props) {
  const policy = usePolicyOf(choice);
  const known = useQuery(guardrails).data?.guardrails ?? [];
  const thresholdOf = (name: string) =>
    policy?.guardrails.find(({ guardrail }) => guardrail === name)?.threshold ??
    known.find(({ guardrail }) => guardrail === name)?.default_threshold ??
    null;
  const findings = decision.triggered_guardrails;
  const marks = findings.flatMap(({ name, spans }) => spans.filter(isInSubject).map((span) => ({ name, span })));
  const { coverage } = decision;
  return (
    <Card
      className={classes('self-start', stale && 'border-dashed')}
      title={policy?.policyName ?? common.defaultPolicy}
      note={decision.log_id ? text.logged : text.dryRun}
    >
      <div aria-live="polite" aria-busy={stale} className="space-y-4">
        <div className="flex flex-wrap items-center gap-5">
          <Gauge score={decision.safety_score} risk={decision.risk_level} />
          <div className="min-w-40 flex-1 space-y-1.5 text-body">
            <Decision of={decision.action} />
            <p>{decision.reason ?? (decision.masked === null ? text.nothing : text.maskedPasses)}</p>
            {decision.masked !== null && <p className="text-xs text-quiet">{text.scoreBeforeMasking}</p>}
            {decision.log_id && (
              <Link to="/logs" search={{ entry: decision.log_id }} className="text-accent hover:underline">
                {text.viewEntry}
              </Link>
            )}
          </div>
        </div>
        {findings.map(({ name, confidence, action, evidence, spans }) => (
          <div key={name} className="grid grid-cols-[minmax(0,1fr)_3rem_auto] items-center gap-x-3 gap-y-1.5 text-body">
            <span className="truncate font-medium">{words(name)}</span>
            <span className="tabular text-right">{decimal(confidence)}</span>
            <Decision of={action} />
            <div className="col-span-full">
              <Meter label={words(name)} value={confidence} threshold={thresholdOf(name)} />
            </div>
            <p className="col-span-full text-xs text-quiet">
              {evidence.map(shownEvidence).join('; ')}
              {elsewhere(spans)}
            </p>
          </div>
        ))}
        {subject.text !== '' && (
          <ScrollArea
            label={text.text(policy?.policyName ?? common.defaultPolicy)}
            className="max-h-64 overflow-y-auto rounded-md border border-line bg-canvas p-3"
          >
            <Marked text={subject.text} marks={marks} />
          </ScrollArea>
        )}
        {decision.masked !== null && (
          <div>
            <p className="mb-1 flex items-center gap-1 text-xs font-semibold text-quiet">
              {text.masked}
              <Copy text={decision.masked} label={text.copyMasked} />
            </p>
            <p className="rounded-md bg-mask-soft p-3 font-mono text-body break-words whitespace-pre-wrap text-mask">
              {decision.masked}
            </p>
          </div>
        )}
        <p className="text-xs text-quiet">
          {text.coverage(
            count(coverage.characters_scanned),
            count(coverage.characters_total),
            decision.processing_time_ms,
            coverage.transforms.map((name) => inSentence(words(name))),
            coverage.complete,
          )}
        </p>
      </div>
    </Card>
  );
}
