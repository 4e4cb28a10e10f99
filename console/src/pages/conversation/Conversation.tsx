import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answer, api } from '@/api/client';
import { moment, words } from '@/lib/format';
import { messages as text } from '@/messages/conversation';
import { EntryDrawer } from '@/pages/logs/EntryDrawer';
import type { LogEntry } from '@/pages/logs/useTail';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Page } from '@/ui/Page';
import { Decision } from '@/ui/Pill';
import { Turn } from './Turn';

const route = getRouteApi('/app/conversation');

const LIMIT = 200;
const REFRESH_MS = 10_000;

/** Shows the evaluated turns of a conversation in their order: texts, findings and decisions. */
export function Conversation() {
  const { id } = route.useSearch();
  return (
    <Page title={text.title}>
      {id === undefined ? (
        <div className="card">
          <Empty title={text.missing}>{text.missingBody}</Empty>
        </div>
      ) : (
        <Timeline key={id} id={id} />
      )}
    </Page>
  );
}

function Timeline({ id }: { id: string }) {
  const { entry } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['logs', 'conversation', id],
    queryFn: ({ pageParam }) =>
      answer(api.GET('/api/logs', { params: { query: { conversation_id: [id], limit: LIMIT, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Turns arrive at the end, which is on the first page.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? REFRESH_MS : false),
  });
  return (
    <Loaded query={query} lines={10}>
      {({ pages }) => {
        const newestFirst = pages.flatMap(({ logs }) => logs);
        if (newestFirst.length === 0)
          return (
            <div className="card">
              <Empty title={text.emptyTitle}>{text.emptyBody}</Empty>
            </div>
          );
        return (
          <>
            <Summary id={id} turns={newestFirst} more={query.hasNextPage} />
            {query.hasNextPage && (
              <Button small busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {text.older}
              </Button>
            )}
            <ol aria-label={text.timeline} className="flex max-w-screen-2xl flex-col gap-3">
              {newestFirst.toReversed().map((turn, index) => (
                <Turn key={turn.log_id} turn={turn} number={index + 1} />
              ))}
            </ol>
            {entry && (
              <EntryDrawer
                id={entry}
                entries={newestFirst}
                onPick={(picked) => void navigate({ search: { id, entry: picked }, replace: true })}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Summary({ id, turns, more }: { id: string; turns: LogEntry[]; more: boolean }) {
  const counts = new Map<string, number>();
  for (const { outcome } of turns) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const [first, last] = [turns.at(-1), turns[0]];
  return (
    <section aria-label={text.title} className="card flex flex-wrap items-center gap-x-8 gap-y-2 px-4 py-3 text-body">
      <div className="min-w-0">
        <p className="text-xs text-quiet">{text.identifier}</p>
        <p className="flex items-center gap-1">
          <code className="min-w-0 font-mono text-xs break-all">{id}</code>
          <Copy text={id} label={text.copy} />
        </p>
      </div>
      <div>
        <p className="font-medium">{more ? text.turnsLoaded(turns.length) : text.turns(turns.length)}</p>
        {first && last && (
          <p className="text-xs text-quiet">{text.from(moment(first.created_at), moment(last.created_at))}</p>
        )}
      </div>
      <ul aria-label={text.outcomes} className="flex flex-wrap gap-x-3 gap-y-1">
        {[...counts].map(([outcome, number]) => (
          <li key={outcome} title={words(outcome)} className="tabular inline-flex items-center gap-1">
            {number} <Decision of={outcome} />
          </li>
        ))}
      </ul>
      <Link to="/logs" search={{ conversation_id: id }} className="ml-auto text-accent hover:underline">
        {text.inLogs}
      </Link>
    </section>
  );
}
