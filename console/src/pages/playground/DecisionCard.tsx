import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { guardrails } from '@/api/data';
import { words } from '@/lib/format';
import { isInSubject, type Span } from '@/lib/policy';
import { Copy } from '@/ui/Copy';
import { classes } from '@/ui/classes';
import { Marked } from '@/ui/Marked';
import { Meter } from '@/ui/Meter';
import { Card } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import type { PolicyChoice, Shown, Subject } from './evaluate';
import { Gauge } from './Gauge';
import { usePolicyOf } from './usePolicyOf';

/** In which document, picture or recording the finds stand, where it is not the text itself. */
function elsewhere(spans: Span[]): string {
  const places = spans.flatMap(({ document, image, transcript }) =>
    document !== undefined
      ? [`document ${document + 1}`]
      : image !== undefined
        ? [`picture ${image + 1}`]
        : transcript
          ? ['the recording']
          : [],
  );
  return places.length === 0 ? '' : ` · in ${[...new Set(places)].join(', ')}`;
}

type Props = { judge: PolicyChoice; subject: Subject; decision: Shown; stale: boolean };

/** A decision: the verdict, its reason, and the evidence in the text. */
export function DecisionCard({ judge, subject, decision, stale }: Props) {
  const policy = usePolicyOf(judge);
  const known = useQuery(guardrails).data?.guardrails ?? [];
  const thresholdOf = (name: string) =>
    policy?.guardrails.find(({ guardrail }) => guardrail === name)?.threshold ??
    known.find(({ guardrail }) => guardrail === name)?.default_threshold ??
    null;
  const finds = decision.triggered_guardrails;
  const marks = finds.flatMap(({ name, spans }) => spans.filter(isInSubject).map((span) => ({ name, span })));
  const { coverage } = decision;
  return (
    <Card
      className={classes('self-start', stale && 'border-dashed')}
      title={policy?.policyName ?? 'Default policy'}
      note={decision.log_id ? 'logged' : 'dry run'}
    >
      <div aria-live="polite" aria-busy={stale} className="space-y-4">
        <div className="flex flex-wrap items-center gap-5">
          <Gauge score={decision.safety_score} risk={decision.risk_level} />
          <div className="min-w-40 flex-1 space-y-1.5 text-body">
            <Decision of={decision.action} />
            <p>{decision.reason ?? 'Nothing in this text stops it.'}</p>
            {decision.log_id && (
              <Link to="/logs" search={{ row: decision.log_id }} className="text-accent hover:underline">
                See its row in the log
              </Link>
            )}
          </div>
        </div>
        {finds.map(({ name, confidence, action, evidence, spans }) => (
          <div key={name} className="grid grid-cols-[minmax(0,1fr)_3rem_auto] items-center gap-x-3 gap-y-1.5 text-body">
            <span className="truncate font-medium">{words(name)}</span>
            <span className="tabular text-right">{confidence.toFixed(2)}</span>
            <Decision of={action} />
            <div className="col-span-full">
              <Meter label={words(name)} value={confidence} threshold={thresholdOf(name)} />
            </div>
            <p className="col-span-full text-xs text-quiet">
              {evidence.join('; ')}
              {elsewhere(spans)}
            </p>
          </div>
        ))}
        {subject.text !== '' && (
          <div
            className="max-h-64 overflow-y-auto rounded-md border border-line bg-canvas p-3"
            tabIndex={0}
            role="region"
            aria-label={`Text with finds marked, ${policy?.policyName ?? 'default policy'}`}
          >
            <Marked text={subject.text} marks={marks} />
          </div>
        )}
        {decision.masked !== null && (
          <div>
            <p className="mb-1 flex items-center gap-1 text-xs font-semibold text-quiet">
              Masked
              <Copy text={decision.masked} label="Copy the masked text" />
            </p>
            <p className="rounded-md bg-mask-soft p-3 font-mono text-body break-words whitespace-pre-wrap text-mask">
              {decision.masked}
            </p>
          </div>
        )}
        <p className="text-xs text-quiet">
          {coverage.characters_scanned.toLocaleString('en')} of {coverage.characters_total.toLocaleString('en')}{' '}
          characters read in {decision.processing_time_ms} ms
          {coverage.transforms.length > 0 && (
            <>, and behind {coverage.transforms.map((name) => words(name).toLowerCase()).join(', ')}</>
          )}
          {coverage.complete ? '.' : ': not all of it.'}
        </p>
      </div>
    </Card>
  );
}
