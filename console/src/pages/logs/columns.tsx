import { type ReactNode, useState } from 'react';
import { inSentence, milliseconds, moment, shortMoment, words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { Caller } from '@/ui/Caller';
import { Decision, Pill, Risk } from '@/ui/Pill';
import type { LogEntry } from './useTail';

const { fields } = messages;

/** A column of the log: its name, its width as a grid track, and its cell. */
export type LogColumn = {
  id: string;
  label: string;
  track: string;
  number?: boolean;
  cell: (entry: LogEntry) => ReactNode;
};

const quiet = (value: ReactNode) => <span className="text-quiet">{value ?? '–'}</span>;

/** All columns. The first one is always shown, because it opens the entry. */
export const COLUMNS: LogColumn[] = [
  {
    id: 'time',
    label: fields.time,
    track: '10.25rem',
    cell: (entry) => (
      <time dateTime={entry.created_at} title={moment(entry.created_at)} className="tabular">
        {shortMoment(entry.created_at)}
      </time>
    ),
  },
  { id: 'decision', label: fields.decision, track: '7.25rem', cell: (entry) => <Decision of={entry.decision} /> },
  {
    id: 'triggered',
    label: fields.triggered,
    track: 'minmax(7.5rem,1fr)',
    cell: (entry) => <TriggeredNames entry={entry} />,
  },
  {
    id: 'text',
    label: fields.text,
    track: 'minmax(10rem,2.5fr)',
    cell: (entry) => quiet(entry.text ?? common.notStored),
  },
  { id: 'score', label: fields.safety, track: '4rem', number: true, cell: (entry) => <Safety entry={entry} /> },
  { id: 'risk', label: fields.risk, track: '6rem', cell: (entry) => <Risk level={entry.residual_risk_level} /> },
  {
    id: 'project',
    label: fields.project,
    track: 'minmax(6rem,0.8fr)',
    cell: (entry) => entry.projectName ?? quiet(common.none),
  },
  { id: 'user', label: fields.user, track: 'minmax(5rem,0.6fr)', cell: (entry) => entry.username ?? quiet(null) },
  {
    id: 'app',
    label: fields.application,
    track: 'minmax(6rem,0.6fr)',
    cell: (entry) => entry.source_app ?? quiet(null),
  },
  { id: 'endpoint', label: fields.endpoint, track: '6.5rem', cell: (entry) => entry.endpoint },
  { id: 'direction', label: fields.direction, track: '5.5rem', cell: (entry) => inSentence(words(entry.direction)) },
  {
    id: 'latency',
    label: fields.latency,
    track: '5rem',
    number: true,
    cell: (entry) => milliseconds(entry.processing_time_ms),
  },
  { id: 'outcome', label: fields.outcome, track: '8.5rem', cell: (entry) => <Decision of={entry.outcome} /> },
  {
    id: 'mark',
    label: fields.feedback,
    track: '7.5rem',
    cell: (entry) => (entry.mark ? words(entry.mark) : quiet(null)),
  },
  {
    id: 'shadow',
    label: fields.shadow,
    track: '7rem',
    cell: (entry) => (entry.shadow_decision ? <Decision of={entry.shadow_decision} /> : quiet(null)),
  },
  { id: 'language', label: fields.language, track: '5rem', cell: (entry) => entry.lang_code ?? quiet(null) },
  {
    id: 'principal',
    label: fields.caller,
    track: 'minmax(7rem,0.8fr)',
    cell: (entry) => <Caller principal={entry.principal} />,
  },
  {
    id: 'conversation',
    label: fields.conversation,
    track: 'minmax(7rem,0.8fr)',
    cell: (entry) => entry.conversation_id ?? quiet(null),
  },
  { id: 'surface', label: fields.surface, track: '7rem', cell: (entry) => words(entry.surface) },
  {
    id: 'tokens',
    label: fields.tokens,
    track: '6.5rem',
    number: true,
    cell: (entry) =>
      entry.prompt_tokens == null && entry.completion_tokens == null
        ? quiet(null)
        : messages.tokens(entry.prompt_tokens, entry.completion_tokens),
  },
  { id: 'credits', label: fields.credits, track: '4.5rem', number: true, cell: (entry) => entry.credits },
];

/** The safety score; that of a masked text is from before masking. */
function Safety({ entry }: { entry: LogEntry }) {
  if (entry.decision !== 'mask') return entry.safety_score;
  return <span title={messages.entry.beforeMasking(inSentence(words(entry.risk_level)), entry.safety_score)}>–</span>;
}

/** The first triggered guardrail and the number of others. */
function TriggeredNames({ entry }: { entry: LogEntry }) {
  const [first, ...others] = entry.triggered_guardrails.map(({ name }) => words(name));
  if (first === undefined) return quiet('–');
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={[first, ...others].join(', ')}>
      <span className="truncate">{first}</span>
      {others.length > 0 && <Pill>{messages.more(others.length)}</Pill>}
    </span>
  );
}

const KEY = 'guardengine.logs.columns';
const FIRST = ['time', 'decision', 'triggered', 'text', 'score', 'project', 'user', 'latency'];

/** Returns the columns selected in this browser. */
function savedColumns(): string[] {
  const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
  return Array.isArray(kept) ? kept.map(String) : FIRST;
}

/** The selected columns, and what selects others. They are saved in this browser. */
export function useColumns(): [string[], (ids: string[]) => void] {
  const [picked, setPicked] = useState(savedColumns);
  const pick = (ids: string[]) => {
    setPicked(ids);
    localStorage.setItem(KEY, JSON.stringify(ids));
  };
  return [picked, pick];
}
