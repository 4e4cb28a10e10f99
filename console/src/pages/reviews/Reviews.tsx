import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/reviews';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill, type Tone } from '@/ui/Pill';
import { type Column, Table } from '@/ui/Table';
import { Tab, Tabs } from '@/ui/Tabs';
import { Ago } from '@/ui/Time';
import { ReviewDialog } from './ReviewDialog';

const route = getRouteApi('/app/reviews');
const STATES = Object.entries(messages.states);
const TONES: Record<string, Tone> = { pending: 'challenge', approved: 'allow', denied: 'block' };

type Review = Schema<'ReviewRecord'>;
const namesOf = ({ log }: Review) => log?.triggered_guardrails.map(({ name }) => words(name)).join(', ');

/** Lists the prompts that policies escalated to a reviewer. */
export function Reviews() {
  const status = route.useSearch().status ?? 'pending';
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Review | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['reviews', status],
    queryFn: ({ pageParam }) => {
      // From the address: the service refuses an unknown one.
      const query = { status: status as Schema<'ReviewStatus'>, cursor: pageParam };
      return answer(api.GET('/api/reviews', { params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchInterval: 15_000,
  });
  return (
    <Page title={messages.title} intro={messages.intro}>
      <Tabs
        name={common.status}
        tabs={STATES}
        value={status}
        onChange={(next) => void navigate({ search: { status: next }, replace: true })}
      >
        <Tab id={status}>
          <Card>
            <Loaded query={query}>
              {({ pages }) => (
                <Table
                  name={messages.table}
                  rows={pages.flatMap(({ reviews }) => reviews)}
                  id={({ review_id }) => review_id}
                  more={query.hasNextPage}
                  empty={
                    status === 'pending' ? (
                      <Empty title={messages.emptyPending}>{messages.emptyPendingBody}</Empty>
                    ) : (
                      <Empty title={messages.empty(status)} />
                    )
                  }
                  columns={columnsOf(status, setOpen)}
                />
              )}
            </Loaded>
            {query.hasNextPage && (
              <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {messages.older}
              </Button>
            )}
          </Card>
        </Tab>
      </Tabs>
      {open && <ReviewDialog review={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

/** The columns for reviews of a status. */
function columnsOf(status: string, onOpen: (review: Review) => void): Column<Review>[] {
  return [
    { head: messages.requested, value: ({ created_at }) => new Date(created_at) },
    { head: messages.triggered, value: namesOf },
    {
      head: messages.user,
      value: ({ log }) => log?.username ?? log?.principal,
      cell: ({ log }) => (
        <span className="line-clamp-2 max-w-48 wrap-anywhere" title={log?.username ?? undefined}>
          {log?.username ?? log?.principal}
        </span>
      ),
    },
    { head: common.project, value: ({ log }) => log?.projectName },
    {
      head: messages.text,
      value: ({ log }) => log?.text,
      cell: ({ log }) => (
        <span className="line-clamp-2 max-w-md font-mono text-xs wrap-anywhere">{log?.text ?? common.notStored}</span>
      ),
    },
    {
      head: status === 'pending' ? messages.autoDenied : messages.decided,
      value: ({ status: state, expires_at, decided_at }) => {
        const at = state === 'pending' ? expires_at : decided_at;
        return at ? new Date(at) : null;
      },
      cell: ({ status: state, expires_at, decided_at, decided_by, expired }) =>
        state === 'pending' ? (
          <Ago at={expires_at} />
        ) : (
          <span>
            {expired ? messages.timedOut : decided_by} {decided_at && <Ago at={decided_at} />}
          </span>
        ),
    },
    {
      head: common.status,
      value: ({ status: state }) => messages.states[state] ?? state,
      cell: ({ status: state }) => <Pill tone={TONES[state] ?? 'plain'}>{messages.states[state] ?? state}</Pill>,
    },
    {
      head: common.actions,
      cell: (review) => (
        <Button small onClick={() => onOpen(review)}>
          {review.status === 'pending' ? messages.review : messages.view}
        </Button>
      ),
    },
  ];
}
