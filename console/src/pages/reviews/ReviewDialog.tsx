import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { fill } from '@/lib/fill';
import { hasDialogAbove, useKeys } from '@/lib/shortcuts';
import { messages } from '@/messages/reviews';
import { EntryDetails } from '@/pages/logs/EntryDetails';
import { Findings } from '@/pages/logs/Findings';
import { logEntry } from '@/pages/logs/filters';
import { StoredText } from '@/pages/logs/StoredText';
import { usePermission } from '@/session/me';
import { Button, IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Loaded } from '@/ui/Loaded';
import { waited } from './columns';
import { Deadline } from './Deadline';
import { type Review, reviewWith, type Verdict } from './data';

type Props = {
  id: string;
  /** The identifiers of the list, in its order. */
  order: string[];
  known: Review | undefined;
  onPick: (id: string | undefined) => void;
  onDecide: (review: Review, verdict: Verdict) => void;
};

/** Shows the evidence of one review. Keys go to the next one, approve and deny. */
export function ReviewDialog({ id, order, known, onPick, onDecide }: Props) {
  const may = usePermission();
  const query = useQuery({ ...reviewWith(id), initialData: known, initialDataUpdatedAt: 0 });
  const at = order.indexOf(id);
  const review = query.data;
  const isOpen = review?.status === 'pending' && may('REVIEWS:DECIDE_REVIEW');
  const step = (by: number) => {
    const next = at === -1 ? undefined : order[at + by];
    return next === undefined || hasDialogAbove() ? false : onPick(next);
  };
  const ask = (verdict: Verdict) =>
    review === undefined || !isOpen || hasDialogAbove() ? false : onDecide(review, verdict);
  useKeys({ j: () => step(1), k: () => step(-1), a: () => ask('approve'), d: () => ask('deny') });
  return (
    <Dialog
      side
      title={
        <span className="flex items-center gap-2">
          <span className="flex-1">{messages.review}</span>
          <IconButton small label={messages.previous} disabled={at <= 0} onClick={() => step(-1)}>
            <ChevronUp size={15} />
          </IconButton>
          <IconButton
            small
            label={messages.next}
            disabled={at === -1 || at >= order.length - 1}
            onClick={() => step(1)}
          >
            <ChevronDown size={15} />
          </IconButton>
        </span>
      }
      onClose={() => onPick(undefined)}
      actions={
        isOpen && (
          <>
            <span className="mr-auto self-center text-xs text-quiet max-sm:hidden">
              {fill(messages.shortcuts, { next: <Key of="j" />, previous: <Key of="k" /> })}
            </span>
            <Button kind="danger" onClick={() => ask('deny')}>
              {messages.deny} <Key of="d" />
            </Button>
            <Button kind="primary" onClick={() => ask('approve')}>
              {messages.approve} <Key of="a" />
            </Button>
          </>
        )
      }
    >
      <Loaded query={query}>{(shown) => <Content key={shown.review_id} review={shown} />}</Loaded>
    </Dialog>
  );
}

const Key = ({ of }: { of: string }) => (
  <kbd aria-hidden className="rounded border border-current px-1 text-2xs opacity-80">
    {of}
  </kbd>
);

function Content({ review }: { review: Review }) {
  const may = usePermission();
  const whole = useQuery({
    ...logEntry(review.log?.log_id ?? ''),
    enabled: review.log != null && may('LOGS:VIEW_LOG'),
    retry: false,
  }).data;
  return (
    <div className="space-y-5">
      {review.status === 'pending' ? (
        <p className="flex flex-wrap items-center gap-2 text-body">
          {messages.waitingFor(waited(review))}
          <span className="text-quiet">{messages.autoDenied}</span>
          <Deadline of={review} />
        </p>
      ) : (
        <p className="text-body">
          {messages.states[review.status]} · {messages.waitedFor(waited(review))}
        </p>
      )}
      {review.log ? (
        <>
          <StoredText entry={review.log} />
          <Findings entry={review.log} confidences={whole?.confidences} />
          {review.log.conversation_id && (
            <p className="text-body">
              <Link
                to="/conversation"
                search={{ id: review.log.conversation_id }}
                className="text-accent hover:underline"
              >
                {messages.openConversation}
              </Link>
            </p>
          )}
          <EntryDetails entry={review.log} />
        </>
      ) : (
        <p className="text-body text-quiet">{messages.entryDeleted}</p>
      )}
      {review.note && (
        <p className="rounded-md bg-sunken px-3 py-2 text-body">
          <span className="text-quiet">{messages.note} </span>
          {review.note}
        </p>
      )}
    </div>
  );
}
