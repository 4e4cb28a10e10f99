import { useState } from 'react';
import { moment, words } from '@/lib/format';
import { messages } from '@/messages/policies';
import { Empty } from '@/ui/Empty';
import { Decision } from '@/ui/Pill';
import { type Column, ROW_LINK, Table } from '@/ui/Table';
import { Comparison } from './Comparison';
import { KINDS, type Kind, type Replayed } from './changes';
import type { ReplayResult } from './useReplay';

const text = messages.replay;

/** The effect of the draft in one sentence, and the changed entries by the kind of change. */
export function Result({ of, isRunning }: { of: ReplayResult; isRunning: boolean }) {
  const [open, setOpen] = useState<string | null>(null);
  const { changes, replayed, skipped } = of;
  const [blocked, allowed, decided] = [changes.blocked.length, changes.allowed.length, changes.decided.length];
  const listed = KINDS.flatMap((kind) => changes[kind]);
  if (replayed === 0)
    return isRunning ? null : (
      <Empty title={text.emptyTitle}>{skipped > 0 ? text.allSkipped(skipped) : text.emptyBody}</Empty>
    );
  return (
    <div className="space-y-5">
      <div role="status" className="space-y-1 text-body">
        <p className="font-medium">
          {blocked + allowed + decided === 0 ? text.same(replayed) : text.summary(replayed, blocked, allowed, decided)}
        </p>
        <p className="text-quiet">
          {[
            changes.guardrails.length > 0 && text.otherGuardrails(changes.guardrails.length),
            changes.masked.length > 0 && text.uncertain(changes.masked.length),
            skipped > 0 && text.skipped(skipped),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      </div>
      {KINDS.map((kind) => (
        <Changed key={kind} kind={kind} entries={changes[kind]} onOpen={setOpen} />
      ))}
      {open !== null && <Comparison entries={listed} id={open} onPick={setOpen} />}
    </div>
  );
}

type ChangedProps = { kind: Kind; entries: Replayed[]; onOpen: (id: string) => void };

function Changed({ kind, entries, onOpen }: ChangedProps) {
  if (entries.length === 0) return null;
  const { title, note } = text.kinds[kind];
  return (
    <div className="space-y-2">
      <h3 className="text-body font-semibold">
        {title} <span className="tabular font-normal text-quiet">{entries.length}</span>
      </h3>
      <p className="pb-3 text-xs text-quiet">{note}</p>
      <Table name={title} rows={entries} id={({ log_id }) => log_id} columns={columnsOf(onOpen)} />
    </div>
  );
}

const columnsOf = (onOpen: (id: string) => void): Column<Replayed>[] => [
  {
    head: text.request,
    value: ({ created_at }) => new Date(created_at),
    cell: ({ log_id, created_at }) => (
      <button type="button" onClick={() => onOpen(log_id)} className={`tabular whitespace-nowrap ${ROW_LINK}`}>
        <time dateTime={created_at}>{moment(created_at)}</time>
      </button>
    ),
  },
  { head: text.decision, value: ({ decision }) => decision, cell: ({ decision }) => <Decision of={decision} /> },
  {
    head: text.newDecision,
    value: ({ new_decision }) => new_decision,
    cell: ({ new_decision }) => <Decision of={new_decision} />,
  },
  {
    head: text.triggeredBefore,
    value: ({ previous_guardrails }) => previous_guardrails.map(words).join(', '),
    cell: ({ previous_guardrails }) => previous_guardrails.map(words).join(', ') || text.nothing,
  },
  {
    head: text.triggered,
    value: ({ triggered_guardrails }) => triggered_guardrails.map(({ name }) => words(name)).join(', '),
    cell: ({ triggered_guardrails }) => triggered_guardrails.map(({ name }) => words(name)).join(', ') || text.nothing,
  },
];
