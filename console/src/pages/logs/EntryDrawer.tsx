import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, FlaskConical } from 'lucide-react';
import { ApiError } from '@/api/error';
import { moment } from '@/lib/format';
import { usePermission } from '@/session/me';
import { IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Loaded } from '@/ui/Loaded';
import { Decision, Risk } from '@/ui/Pill';
import { AddException } from './AddException';
import { EntryDetails } from './EntryDetails';
import { Feedback } from './Feedback';
import { Findings } from './Findings';
import { logRow } from './filters';
import { Reveal } from './Reveal';
import { StoredText } from './StoredText';
import { Timing } from './Timing';
import type { Row, WholeRow } from './useTail';

type Props = { id: string; rows: Row[]; onPick: (id: string | undefined) => void };

/** One row: what came, what was found where, and who decided why. */
export function EntryDrawer({ id, rows, onPick }: Props) {
  const at = rows.findIndex(({ log_id }) => log_id === id);
  const query = useQuery({ ...logRow(id), retry: (_, error) => !(error instanceof ApiError) });
  const step = (by: number) => onPick(rows[at + by]?.log_id);
  return (
    <Dialog
      side
      onClose={() => onPick(undefined)}
      title={
        <span className="flex items-center gap-2">
          <span className="flex-1">Request</span>
          <IconButton small label="Newer row" disabled={at <= 0} onClick={() => step(-1)}>
            <ChevronUp size={15} />
          </IconButton>
          <IconButton small label="Older row" disabled={at === -1 || at >= rows.length - 1} onClick={() => step(1)}>
            <ChevronDown size={15} />
          </IconButton>
        </span>
      }
    >
      <Loaded query={query} lines={12}>
        {(row) => <Content key={row.log_id} row={row} />}
      </Loaded>
    </Dialog>
  );
}

function Content({ row }: { row: WholeRow }) {
  const may = usePermission();
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center gap-2 text-body">
        <Decision of={row.decision} />
        <Risk level={row.risk_level} />
        <span>
          Safety <strong className="tabular">{row.safety_score}</strong> of 100
        </span>
        <time dateTime={row.created_at} className="ml-auto text-quiet">
          {moment(row.created_at)}
        </time>
      </div>
      {row.reason && (
        <p className="rounded-md bg-sunken px-3 py-2 text-body">
          <span className="text-quiet">Decided by </span>
          {row.reason}
        </p>
      )}
      <StoredText row={row} />
      <Reveal row={row} />
      <Findings row={row} stood={row.confidences} />
      <Timing row={row} />
      <EntryDetails row={row} />
      <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
        <Feedback row={row} />
        <AddException row={row} />
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-2 border-t border-line pt-4 text-body">
        {row.text && (
          <Link
            to="/playground"
            search={{
              text: row.text,
              policy: row.policyId ?? undefined,
              tab: row.direction === 'output' ? 'response' : 'prompt',
            }}
            className="inline-flex items-center gap-1.5 text-accent hover:underline"
          >
            <FlaskConical aria-hidden size={14} />
            Open in the playground
          </Link>
        )}
        {row.policyId && may('FIREWALL_POLICIES:VIEW_POLICY') && (
          <Link
            to="/policies/$policyId"
            params={{ policyId: row.policyId }}
            search={{ tab: 'replay' }}
            className="text-accent hover:underline"
          >
            Replay under a draft of its policy
          </Link>
        )}
        {row.username && (
          <Link to="/logs" search={{ username: row.username }} className="text-accent hover:underline">
            More of this user
          </Link>
        )}
        {row.source_app && (
          <Link to="/logs" search={{ source_app: row.source_app }} className="text-accent hover:underline">
            More of this application
          </Link>
        )}
      </div>
    </div>
  );
}
