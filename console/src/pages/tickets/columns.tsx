import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { moment, words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/tickets';
import { Pill, type Tone } from '@/ui/Pill';
import { RemoteError } from '@/ui/RemoteError';
import type { Column } from '@/ui/Table';
import type { Ticket } from './data';

const TONES: Record<string, Tone> = { queued: 'challenge', sent: 'allow', commented: 'allow', dead: 'block' };

/** A queued ticket that failed before is tried again. */
const stateOf = ({ status, attempts }: Ticket): string =>
  status === 'queued' && attempts > 0 ? messages.retrying : (messages.states[status] ?? status);

type Options = {
  /** True if log entries may be opened. */
  mayOpen: boolean;
  connectorName: (id: string) => string | undefined;
  action: (ticket: Ticket) => ReactNode;
};

/** The columns of the ticket list. */
export const columnsOf = ({ mayOpen, connectorName, action }: Options): Column<Ticket>[] => [
  {
    head: messages.ticket,
    value: ({ key, title }) => (key ? `${key} ${title}` : title),
    cell: (ticket) => <TicketName of={ticket} />,
  },
  {
    head: messages.connector,
    value: ({ connector_id, system }) => connectorName(connector_id) ?? words(system),
    cell: ({ connector_id, system }) => (
      <Link to="/connectors" search={{ connector: connector_id }} className="text-accent hover:underline">
        {connectorName(connector_id) ?? words(system)}
        <span className="block text-xs text-quiet">{words(system)}</span>
      </Link>
    ),
  },
  { head: messages.guardrail, value: ({ guardrail }) => words(guardrail) },
  {
    head: common.status,
    value: stateOf,
    cell: (ticket) => (
      <span className="flex max-w-72 flex-col items-start gap-0.5">
        <Pill tone={TONES[ticket.status] ?? 'plain'}>{stateOf(ticket)}</Pill>
        {ticket.next_attempt_at && ticket.attempts > 0 && (
          <span className="text-xs">{messages.nextAttempt(moment(ticket.next_attempt_at))}</span>
        )}
        {ticket.last_error && <RemoteError raw={ticket.last_error} />}
      </span>
    ),
  },
  { head: messages.attempts, value: ({ attempts }) => attempts, number: true },
  { head: messages.created, value: ({ created_at }) => new Date(created_at) },
  {
    head: messages.request,
    value: ({ log_id }) => log_id,
    cell: ({ log_id }) =>
      mayOpen && (
        <Link to="/logs" search={{ entry: log_id }} className="text-accent hover:underline">
          {messages.viewEntry}
        </Link>
      ),
  },
  { head: common.actions, cell: action },
];

function TicketName({ of: { title, key, url, comments_on } }: { of: Ticket }) {
  return (
    <span className="block max-w-lg">
      {comments_on && <span className="block text-xs text-quiet">{messages.comment}</span>}
      <span className="font-medium">{title}</span>
      {key && (
        <span className="block text-xs">
          {url ? (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className="inline-flex items-center gap-1 text-accent hover:underline"
            >
              {key}
              <ExternalLink aria-hidden size={11} />
            </a>
          ) : (
            key
          )}
        </span>
      )}
    </span>
  );
}
