import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { hasDialog, useKeys } from '@/lib/shortcuts';
import { type Selection, useSelection } from '@/lib/useSelection';
import { common } from '@/messages/common';
import { messages } from '@/messages/reviews';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { SelectionBar } from '@/ui/SelectionBar';
import { Table } from '@/ui/Table';
import { Tab, Tabs } from '@/ui/Tabs';
import { columnsOf } from './columns';
import { DecideDialog, nameOf } from './DecideDialog';
import { after, listed, type Review, reviewPages, type Verdict } from './data';
import { ReviewDialog } from './ReviewDialog';

const route = getRouteApi('/app/reviews');
const STATES = Object.entries(messages.states);

/** Lists the prompts that policies escalated to a reviewer. */
export function Reviews() {
  const { status = 'pending', review: open } = route.useSearch();
  const navigate = route.useNavigate();
  const [asked, setAsked] = useState<{ reviews: Review[]; verdict: Verdict } | null>(null);
  const query = useInfiniteQuery(reviewPages(status));
  const reviews = listed(query.data?.pages.flatMap((page) => page.reviews) ?? [], status);
  const order = reviews.map(({ review_id }) => review_id);
  const selection = useSelection(order);
  const pick = (id: string | undefined) => void navigate({ search: (old) => ({ ...old, review: id }), replace: true });
  const decided = (ids: string[]) => {
    if (open !== undefined && ids.includes(open)) pick(after(order, open, ids));
  };
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
              {() => (
                <ReviewTable
                  reviews={reviews}
                  status={status}
                  more={query.hasNextPage}
                  selection={selection}
                  onDecide={(verdict) =>
                    setAsked({ reviews: reviews.filter(({ review_id }) => selection.ids.has(review_id)), verdict })
                  }
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
      {open !== undefined && (
        <ReviewDialog
          id={open}
          order={order}
          known={reviews.find(({ review_id }) => review_id === open)}
          onPick={pick}
          onDecide={(review, verdict) => setAsked({ reviews: [review], verdict })}
        />
      )}
      {asked && <DecideDialog {...asked} onClose={() => setAsked(null)} onDecided={decided} />}
    </Page>
  );
}

type TableProps = {
  reviews: Review[];
  status: string;
  more: boolean;
  selection: Selection;
  onDecide: (verdict: Verdict) => void;
};

function ReviewTable({ reviews, status, more, selection, onDecide }: TableProps) {
  const may = usePermission();
  const selects = status === 'pending' && may('REVIEWS:DECIDE_REVIEW');
  const ask = (verdict: Verdict) => (selection.ids.size === 0 || hasDialog() ? false : onDecide(verdict));
  useKeys({ a: () => ask('approve'), d: () => ask('deny') });
  return (
    <>
      {selects && selection.ids.size > 0 && (
        <div className="-mx-4 -mt-3">
          <SelectionBar count={selection.ids.size} onClear={selection.clear}>
            <Button small onClick={() => onDecide('approve')}>
              {messages.approve}
            </Button>
            <Button small kind="danger" onClick={() => onDecide('deny')}>
              {messages.deny}
            </Button>
          </SelectionBar>
        </div>
      )}
      <Table
        name={messages.table}
        rows={reviews}
        id={({ review_id }) => review_id}
        more={more}
        selection={selects ? { of: selection, name: nameOf } : undefined}
        empty={
          status === 'pending' ? (
            <Empty title={messages.emptyPending}>{messages.emptyPendingBody}</Empty>
          ) : (
            <Empty title={messages.empty(status)} />
          )
        }
        columns={columnsOf(status)}
      />
    </>
  );
}
