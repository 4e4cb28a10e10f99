import { decimal, words } from '@/lib/format';
import { isInSubject } from '@/lib/policy';
import { excerpt, inStoredText } from '@/lib/spans';
import { common } from '@/messages/common';
import { Marked } from '@/ui/Marked';
import { Pill } from '@/ui/Pill';
import type { Review } from './data';

/** Why a prompt was escalated: the guardrails with their scores, and the text around what they matched. */
export function Evidence({ log }: Pick<Review, 'log'>) {
  if (log == null) return null;
  const sent = log.triggered_guardrails.flatMap(({ name, spans }) =>
    spans.filter(isInSubject).map((span) => ({ name, span })),
  );
  return (
    <div className="max-w-xl min-w-60 space-y-1">
      <p className="flex flex-wrap gap-1">
        {log.triggered_guardrails.map(({ name, confidence }) => (
          <Pill key={name} tone="escalate">
            {words(name)} <span className="tabular">{decimal(confidence)}</span>
          </Pill>
        ))}
      </p>
      {log.text == null ? (
        <p className="text-xs text-quiet">{common.notStored}</p>
      ) : (
        <div className="line-clamp-2">
          <Marked {...excerpt(log.text, inStoredText(log.text, sent).marks)} />
        </div>
      )}
    </div>
  );
}
