import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { decimal, moment, words } from '@/lib/format';
import { hasDialogAbove, useKeys } from '@/lib/shortcuts';
import { messages } from '@/messages/policies';
import { logEntry } from '@/pages/logs/filters';
import { StoredText } from '@/pages/logs/StoredText';
import { IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Loaded } from '@/ui/Loaded';
import { Decision } from '@/ui/Pill';
import type { Replayed } from './changes';

const text = messages.replay;

type Props = { entries: Replayed[]; id: string; onPick: (id: string | null) => void };

/** Shows a replayed request: its text, and both decisions side by side. */
export function Comparison({ entries, id, onPick }: Props) {
  const at = entries.findIndex(({ log_id }) => log_id === id);
  const query = useQuery(logEntry(id));
  const step = (by: number) => {
    const next = entries[at + by];
    return next === undefined || hasDialogAbove() ? false : onPick(next.log_id);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  const replayed = entries[at];
  if (replayed === undefined) return null;
  return (
    <Dialog
      side
      onClose={() => onPick(null)}
      title={
        <span className="flex items-center gap-2">
          <span className="flex-1">{text.comparison}</span>
          <IconButton small label={text.previousChange} disabled={at === 0} onClick={() => step(-1)}>
            <ChevronUp size={15} />
          </IconButton>
          <IconButton small label={text.nextChange} disabled={at === entries.length - 1} onClick={() => step(1)}>
            <ChevronDown size={15} />
          </IconButton>
        </span>
      }
    >
      <div className="space-y-5">
        <time dateTime={replayed.created_at} className="block text-body text-quiet">
          {moment(replayed.created_at)}
        </time>
        <div className="grid gap-3 sm:grid-cols-2">
          <Side
            title={text.decision}
            decision={replayed.decision}
            guardrails={query.data?.triggered_guardrails ?? replayed.previous_guardrails.map((name) => ({ name }))}
          />
          <Side title={text.newDecision} decision={replayed.new_decision} guardrails={replayed.triggered_guardrails} />
        </div>
        <Loaded query={query}>{(entry) => <StoredText entry={entry} />}</Loaded>
        <Link to="/logs" search={{ entry: id }} className="text-body text-accent hover:underline">
          {text.openEntry}
        </Link>
      </div>
    </Dialog>
  );
}

type Guardrail = { name: string; confidence?: number };

function Side({ title, decision, guardrails }: { title: string; decision: string; guardrails: Guardrail[] }) {
  const line = ({ name, confidence }: Guardrail): ReactNode => (
    <li key={name} className="flex justify-between gap-2">
      {words(name)}
      {confidence !== undefined && <span className="tabular text-quiet">{decimal(confidence)}</span>}
    </li>
  );
  return (
    <section aria-label={title} className="space-y-2 rounded-md border border-line p-3 text-body">
      <h3 className="text-xs font-semibold text-quiet">{title}</h3>
      <Decision of={decision} />
      {guardrails.length === 0 ? (
        <p className="text-quiet">{text.nothing}</p>
      ) : (
        <ul className="space-y-0.5">{guardrails.map(line)}</ul>
      )}
    </section>
  );
}
