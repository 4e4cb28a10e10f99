import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { words } from '@/lib/format';
import type { Triggered } from '@/lib/policy';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill, type Tone } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { Tab, Tabs } from '@/ui/Tabs';
import { Ago } from '@/ui/Time';
import { ReviewDialog } from './ReviewDialog';

const route = getRouteApi('/app/reviews');
const STATES = [
  ['pending', 'Waiting'],
  ['approved', 'Approved'],
  ['denied', 'Denied'],
] as const;
const TONES: Record<string, Tone> = { pending: 'challenge', approved: 'allow', denied: 'block' };

/** What policies escalated to a person. */
export function Reviews() {
  const status = route.useSearch().status ?? 'pending';
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Schema<'ReviewRecord'> | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['reviews', status],
    queryFn: ({ pageParam }) => answer(api.GET('/api/reviews', { params: { query: { status, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchInterval: 15_000,
  });
  return (
    <Page
      title="Review queue"
      intro="Prompts that a guardrail with the action Escalate stopped. The application waits for what you decide."
    >
      <Tabs
        name="State"
        tabs={STATES}
        value={status}
        onChange={(next) => void navigate({ search: { status: next }, replace: true })}
      >
        <Tab id={status}>
          <Card>
            <Loaded query={query}>
              {({ pages }) => (
                <Table
                  name="Reviews"
                  rows={pages.flatMap(({ reviews }) => reviews)}
                  id={({ review_id }) => review_id}
                  empty={
                    status === 'pending' ? (
                      <Empty title="Nothing waits for a review">
                        Give a guardrail of a policy the action Escalate, and have your application ask for autonomous
                        decisions: what it stops waits here.
                      </Empty>
                    ) : (
                      <Empty title={`Nothing was ${status}`} />
                    )
                  }
                  columns={[
                    { head: 'Asked', cell: ({ created_at }) => <Ago at={created_at} /> },
                    {
                      head: 'Triggered',
                      cell: ({ log }) =>
                        log &&
                        (log.triggered_guardrails as unknown as Triggered[]).map(({ name }) => words(name)).join(', '),
                    },
                    { head: 'User', cell: ({ log }) => log?.username ?? log?.principal },
                    {
                      head: 'Text',
                      cell: ({ log }) => (
                        <span className="line-clamp-2 max-w-xl font-mono text-xs">{log?.text ?? 'not kept'}</span>
                      ),
                    },
                    {
                      head: status === 'pending' ? 'Denied by itself' : 'Decided',
                      cell: ({ status: state, expires_at, decided_at, decided_by, expired }) =>
                        state === 'pending' ? (
                          <Ago at={expires_at} />
                        ) : (
                          <span>
                            {expired ? 'by nobody in time' : decided_by} {decided_at && <Ago at={decided_at} />}
                          </span>
                        ),
                    },
                    { head: 'State', cell: ({ status: state }) => <Pill tone={TONES[state] ?? 'plain'}>{state}</Pill> },
                    {
                      head: 'Open',
                      cell: (review) => (
                        <Button small onClick={() => setOpen(review)}>
                          {review.status === 'pending' ? 'Review' : 'See'}
                        </Button>
                      ),
                    },
                  ]}
                />
              )}
            </Loaded>
            {query.hasNextPage && (
              <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Older ones
              </Button>
            )}
          </Card>
        </Tab>
      </Tabs>
      {open && <ReviewDialog review={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}
