import { Link } from '@tanstack/react-router';
import { duration, words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/reviews';
import { Caller } from '@/ui/Caller';
import { Pill, type Tone } from '@/ui/Pill';
import { type Column, ROW_LINK } from '@/ui/Table';
import { Ago } from '@/ui/Time';
import { Deadline } from './Deadline';
import type { Review } from './data';
import { Evidence } from './Evidence';

const TONES: Record<string, Tone> = { pending: 'challenge', approved: 'allow', denied: 'block' };

/** Returns how long a review has waited. */
export const waited = ({ created_at, decided_at }: Review): string =>
  duration(Math.max(0, (decided_at ? Date.parse(decided_at) : Date.now()) - Date.parse(created_at)));

/** The columns for reviews of a status. */
export const columnsOf = (status: string): Column<Review>[] => [
  {
    head: status === 'pending' ? messages.waiting : messages.requested,
    value: ({ created_at }) => new Date(created_at),
    cell: (review) => (
      <Link from="/reviews" search={(old) => ({ ...old, review: review.review_id })} replace className={ROW_LINK}>
        {status === 'pending' ? (
          <time dateTime={review.created_at} className="whitespace-nowrap">
            {waited(review)}
          </time>
        ) : (
          <Ago at={review.created_at} />
        )}
      </Link>
    ),
  },
  status === 'pending' ? DEADLINE : DECIDED,
  {
    head: messages.evidence,
    value: ({ log }) => log?.triggered_guardrails.map(({ name }) => words(name)).join(', '),
    cell: ({ log }) => <Evidence log={log} />,
  },
  {
    head: messages.user,
    value: ({ log }) => log?.username ?? log?.principal,
    cell: ({ log }) => (
      <span className="line-clamp-2 max-w-48 wrap-anywhere" title={log?.username ?? undefined}>
        {log?.username ?? (log && <Caller principal={log.principal} />)}
      </span>
    ),
  },
  { head: common.project, value: ({ log }) => log?.projectName },
  {
    head: messages.conversation,
    cell: ({ log }) =>
      log?.conversation_id && (
        <Link to="/conversation" search={{ id: log.conversation_id }} className="text-accent hover:underline">
          {messages.openConversation}
        </Link>
      ),
  },
];

const DEADLINE: Column<Review> = {
  head: messages.autoDenied,
  value: ({ expires_at }) => new Date(expires_at),
  cell: (review) => <Deadline of={review} />,
};

const DECIDED: Column<Review> = {
  head: messages.decided,
  value: ({ decided_at }) => (decided_at ? new Date(decided_at) : null),
  cell: ({ status, decided_at, decided_by, expired }) => (
    <span className="flex flex-col items-start gap-0.5">
      <Pill tone={TONES[status] ?? 'plain'}>{messages.states[status] ?? status}</Pill>
      <span className="text-xs text-quiet">
        {expired ? messages.timedOut : decided_by && <Caller principal={decided_by} />}{' '}
        {decided_at && <Ago at={decided_at} />}
      </span>
    </span>
  ),
};
