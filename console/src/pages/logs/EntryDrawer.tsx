import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, FlaskConical } from 'lucide-react';
import { ApiError } from '@/api/error';
import { fill } from '@/lib/fill';
import { inSentence, moment, words } from '@/lib/format';
import { hasDialogAbove, useKeys } from '@/lib/shortcuts';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Loaded } from '@/ui/Loaded';
import { Decision, Risk } from '@/ui/Pill';
import { AddException } from './AddException';
import { EntryDetails } from './EntryDetails';
import { Feedback } from './Feedback';
import { Findings } from './Findings';
import { logEntry } from './filters';
import { Reveal } from './Reveal';
import { StoredText } from './StoredText';
import { Timing } from './Timing';
import type { LogEntry, LogEntryDetails } from './useTail';

const text = messages.entry;

type Props = { id: string; entries: LogEntry[]; onPick: (id: string | undefined) => void };

/** Shows one log entry: its text, its findings and the decision. */
export function EntryDrawer({ id, entries, onPick }: Props) {
  const at = entries.findIndex(({ log_id }) => log_id === id);
  const query = useQuery({ ...logEntry(id), retry: (_, error) => !(error instanceof ApiError) });
  const step = (by: number) => onPick(entries[at + by]?.log_id);
  const move = (by: number) => (at === -1 || !entries[at + by] || hasDialogAbove() ? false : step(by));
  useKeys({ j: () => move(1), k: () => move(-1) });
  return (
    <Dialog
      side
      onClose={() => onPick(undefined)}
      title={
        <span className="flex items-center gap-2">
          <span className="flex-1">{text.title}</span>
          <IconButton small label={text.newer} disabled={at <= 0} onClick={() => step(-1)}>
            <ChevronUp size={15} />
          </IconButton>
          <IconButton small label={text.older} disabled={at === -1 || at >= entries.length - 1} onClick={() => step(1)}>
            <ChevronDown size={15} />
          </IconButton>
        </span>
      }
    >
      <Loaded query={query} lines={12}>
        {(entry) => <Content key={entry.log_id} entry={entry} />}
      </Loaded>
    </Dialog>
  );
}

function Content({ entry }: { entry: LogEntryDetails }) {
  const may = usePermission();
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center gap-2 text-body">
        <Decision of={entry.decision} />
        <Risk level={entry.residual_risk_level} />
        {entry.decision === 'mask' ? (
          <span className="text-quiet">
            {text.beforeMasking(inSentence(words(entry.risk_level)), entry.safety_score)}
          </span>
        ) : (
          <span>{fill(text.safety, { score: <strong className="tabular">{entry.safety_score}</strong> })}</span>
        )}
        <time dateTime={entry.created_at} className="ml-auto text-quiet">
          {moment(entry.created_at)}
        </time>
      </div>
      {entry.reason && (
        <p className="rounded-md bg-sunken px-3 py-2 text-body">
          <span className="text-quiet">{text.decidedBy} </span>
          {entry.reason}
        </p>
      )}
      <StoredText entry={entry} />
      <Reveal entry={entry} />
      <Findings entry={entry} confidences={entry.confidences} />
      <Timing entry={entry} />
      <EntryDetails entry={entry} />
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <Feedback entry={entry} />
        <AddException entry={entry} />
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-2 border-t border-line pt-4 text-body">
        {entry.text && (
          <Link
            to="/playground"
            search={{
              text: entry.text,
              policy: entry.policyId ?? undefined,
              tab: entry.direction === 'output' ? 'response' : 'prompt',
            }}
            className="inline-flex items-center gap-1.5 text-accent hover:underline"
          >
            <FlaskConical aria-hidden size={14} />
            {text.playground}
          </Link>
        )}
        {entry.policyId && may('FIREWALL_POLICIES:VIEW_POLICY') && (
          <Link
            to="/policies/$policyId"
            params={{ policyId: entry.policyId }}
            search={{ tab: 'replay' }}
            className="text-accent hover:underline"
          >
            {text.replay}
          </Link>
        )}
        {entry.username && (
          <Link to="/logs" search={{ username: entry.username }} className="text-accent hover:underline">
            {text.sameUser}
          </Link>
        )}
        {entry.source_app && (
          <Link to="/logs" search={{ source_app: entry.source_app }} className="text-accent hover:underline">
            {text.sameApplication}
          </Link>
        )}
      </div>
    </div>
  );
}
