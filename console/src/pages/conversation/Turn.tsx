import { Link } from '@tanstack/react-router';
import { decimal, milliseconds, moment, words } from '@/lib/format';
import { isInSubject } from '@/lib/policy';
import { inStoredText, placesOf } from '@/lib/spans';
import { common } from '@/messages/common';
import { messages as text } from '@/messages/conversation';
import type { LogEntry } from '@/pages/logs/useTail';
import { classes } from '@/ui/classes';
import { Marked } from '@/ui/Marked';
import { Decision, Pill } from '@/ui/Pill';
import { ScrollArea } from '@/ui/ScrollArea';

/** A prompt or a response: its text with findings, what triggered, and the decision. */
export function Turn({ turn, number }: { turn: LogEntry; number: number }) {
  const isPrompt = turn.direction === 'input';
  const by = isPrompt ? turn.username : turn.source_app;
  return (
    <li
      className={classes(
        'card w-full max-w-3xl border-l-3 px-4 py-3',
        isPrompt ? 'border-l-accent' : 'self-end border-l-edge',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
        <h2 className="text-body font-semibold text-ink">{isPrompt ? text.prompt : text.response}</h2>
        {by && <span>{by}</span>}
        <Decision of={turn.outcome} />
        <time dateTime={turn.created_at} className="tabular ml-auto">
          {moment(turn.created_at)}
        </time>
      </div>
      <div className="mt-2">
        {turn.text == null ? (
          <p className="text-body text-quiet">{common.notStored}</p>
        ) : (
          <ScrollArea label={text.textOf(number)} className="max-h-72 overflow-y-auto">
            <Marked text={turn.text} marks={marksOf(turn, turn.text)} />
          </ScrollArea>
        )}
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
        {turn.triggered_guardrails.length === 0 && <span>{text.nothing}</span>}
        {turn.triggered_guardrails.map(({ name, confidence, spans }) => (
          <Pill key={name}>
            {words(name)} <span className="tabular">{decimal(confidence)}</span> {placesOf(spans).join(', ')}
          </Pill>
        ))}
        {turn.decision !== 'mask' && <span>{text.safety(turn.safety_score)}</span>}
        <span>{milliseconds(turn.processing_time_ms)}</span>
        <Link
          from="/conversation"
          search={(old) => ({ ...old, entry: turn.log_id })}
          replace
          className="ml-auto text-accent hover:underline"
        >
          {text.open}
        </Link>
      </div>
    </li>
  );
}

function marksOf({ triggered_guardrails }: LogEntry, stored: string) {
  const sent = triggered_guardrails.flatMap(({ name, spans }) =>
    spans.filter(isInSubject).map((span) => ({ name, span })),
  );
  return inStoredText(stored, sent).marks;
}
