import { shownEvidence } from '@/lib/evidence';
import { decimal, words } from '@/lib/format';
import { placesOf } from '@/lib/spans';
import { messages } from '@/messages/logs';
import { classes } from '@/ui/classes';
import { Meter } from '@/ui/Meter';
import { Decision } from '@/ui/Pill';
import type { LogEntry, LogEntryDetails } from './useTail';

type Confidences = LogEntryDetails['confidences'];

/**
 * Shows the confidence of every guardrail and its threshold in the policy version that decided, triggered ones first.
 * Without `confidences`, only triggered guardrails are shown.
 */
export function Findings({ entry, confidences }: { entry: LogEntry; confidences: Confidences | undefined }) {
  const findings = entry.triggered_guardrails;
  const thresholdOf = (name: string) => confidences?.find(({ guardrail }) => guardrail === name)?.threshold ?? null;
  const quiet = (confidences ?? [])
    .filter(({ guardrail }) => !findings.some(({ name }) => name === guardrail))
    .sort((a, b) => b.confidence - a.confidence);
  return (
    <section aria-label={messages.findings.label} className="space-y-2">
      <h3 className="text-xs font-semibold text-quiet">{messages.findings.title}</h3>
      <p className="text-xs text-quiet">{messages.findings.help}</p>
      {findings.map(({ name, confidence, action, evidence, spans }) => (
        <Bar
          key={name}
          name={name}
          confidence={confidence}
          threshold={thresholdOf(name)}
          action={action}
          evidence={[...evidence.map(shownEvidence), ...placesOf(spans)]}
        />
      ))}
      {findings.length === 0 && <p className="text-body text-quiet">{messages.findings.none}</p>}
      {quiet.length > 0 && (
        <details open={findings.length === 0} className="space-y-2">
          <summary className="cursor-pointer text-xs text-quiet">
            {messages.findings.belowThreshold(quiet.length)}
          </summary>
          {quiet.map(({ guardrail, confidence, threshold }) => (
            <Bar key={guardrail} name={guardrail} confidence={confidence} threshold={threshold} />
          ))}
        </details>
      )}
      {confidences?.length === 0 && findings.length > 0 && (
        <p className="text-xs text-quiet">{messages.findings.noConfidences}</p>
      )}
    </section>
  );
}

type Props = { name: string; confidence: number; threshold: number | null; action?: string; evidence?: string[] };

function Bar({ name, confidence, threshold, action, evidence = [] }: Props) {
  return (
    <div
      className={classes(
        'grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1 text-body',
        'sm:grid-cols-[11rem_1fr_3rem_6rem]',
      )}
    >
      <span className={action ? 'truncate font-medium' : 'truncate text-quiet'}>{words(name)}</span>
      <div className="order-last col-span-full sm:order-none sm:col-span-1">
        <Meter label={words(name)} value={confidence} threshold={threshold} />
      </div>
      <span className="tabular text-right">{decimal(confidence)}</span>
      <span>{action && <Decision of={action} />}</span>
      {evidence.length > 0 && <Evidence of={evidence} />}
    </div>
  );
}

function Evidence({ of }: { of: string[] }) {
  return (
    <ul className="order-last col-span-full list-disc pl-4 text-xs text-quiet">
      {of.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
