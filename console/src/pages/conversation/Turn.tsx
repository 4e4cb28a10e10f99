import { Link } from '@tanstack/react-router';
import { decimal, milliseconds, moment, words } from '@/lib/format';
import { isInSubject } from '@/lib/policy';
import { inStoredText, placesOf } from '@/lib/spans';
import { common } from '@/messages/common';
import { messages as text } from '@/messages/conversation';
import type { LogEntry } from '@/pages/logs/useTail';
import { classes } from '@/ui/classes';
import { Marked } from '@/ui/Marked';
import { Decision } from '@/ui/Pill';
import { ScrollArea } from '@/ui/ScrollArea';

/** A prompt or a response: its text with findings, what triggered, and the decision. */
export function Turn({ turn, number }: { turn: LogEntry; number: number }) {
  const isPrompt = turn.direction === 'input';
  const by = isPrompt ? turn.username : turn.source_app;
  return (
    <li
      className={classes(
        'card grid w-full gap-x-6 gap-y-2 border-l-3 px-4 py-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]',
        isPrompt ? 'border-l-accent' : 'border-l-edge',
      )}
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
          <h2 className="text-body font-semibold text-ink">{isPrompt ? text.prompt : text.response}</h2>
          {by && <span>{by}</span>}
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
      </div>
      <Evaluated turn={turn} number={number} />
    </li>
  );
}

/** The evaluation of a turn: the decision, what triggered and where, and how long it took. */
function Evaluated({ turn, number }: { turn: LogEntry; number: number }) {
  const findings = turn.triggered_guardrails;
  return (
    <section
      aria-label={text.evaluationOf(number)}
      className="min-w-0 space-y-2 text-body max-lg:border-t max-lg:border-line max-lg:pt-2 lg:border-l lg:border-line lg:pl-6"
    >
      <div className="flex flex-wrap items-center gap-2">
        <Decision of={turn.outcome} />
        <Link
          from="/conversation"
          search={(old) => ({ ...old, entry: turn.log_id })}
          replace
          className="ml-auto text-xs text-accent hover:underline"
        >
          {text.open}
        </Link>
      </div>
      {findings.length === 0 && <p className="text-quiet">{text.nothing}</p>}
      <ul className="space-y-1">
        {findings.map(({ name, confidence, spans }) => (
          <li key={name} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{words(name)}</span>
            <span className="tabular text-quiet">{decimal(confidence)}</span>
            {placesOf(spans).length > 0 && (
              <span className="w-full text-xs text-quiet">{placesOf(spans).join(', ')}</span>
            )}
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-x-3 text-xs text-quiet">
        {turn.decision !== 'mask' && <span>{text.safety(turn.safety_score)}</span>}
        <span>{milliseconds(turn.processing_time_ms)}</span>
      </p>
    </section>
  );
}

function marksOf({ triggered_guardrails }: LogEntry, stored: string) {
  const sent = triggered_guardrails.flatMap(({ name, spans }) =>
    spans.filter(isInSubject).map((span) => ({ name, span })),
  );
  return inStoredText(stored, sent).marks;
}
