import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { Line } from '@/charts/Line';
import { forecast } from '@/lib/forecast';
import { count, durationRange, shortMoment } from '@/lib/format';
import { messages } from '@/messages/dashboard';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import type { Range } from './period';

const text = messages.credits;
const PAGES = 4;

type Usage = { balance: number; ledger: Schema<'LedgerEntry'>[]; from: string; now: number };

/** Shows the balance over the period, and how long it lasts at the usage of that time. */
export function CreditForecast({ range }: { range: Range }) {
  const query = useQuery({
    queryKey: ['credits', 'usage', range.from],
    queryFn: () => usageSince(range.from),
    refetchInterval: 60_000,
  });
  return (
    <Card
      title={text.title}
      actions={
        <Link to="/credits" className="text-xs text-accent hover:underline">
          {text.ledger}
        </Link>
      }
    >
      <Loaded query={query}>
        {({ balance, ledger, from, now }) => {
          const points = ledger.map(({ created_at, balance_after }) => ({
            at: Date.parse(created_at),
            value: balance_after,
          }));
          return (
            <>
              <p className="tabular text-2xl font-semibold tracking-tight">{count(balance)}</p>
              <p className="mb-3 text-xs text-quiet">{lasts({ balance, ledger, from, now })}</p>
              <Line
                points={points}
                from={Date.parse(from)}
                to={now}
                description={text.chart(shortMoment(from), shortMoment(new Date(now).toISOString()), count(balance))}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** Loads the ledger since a time, oldest first; of a long ledger only the newest part, whose start is returned. */
async function usageSince(from: string): Promise<Usage> {
  const ledger: Schema<'LedgerEntry'>[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const part = await answer(api.GET('/api/credits', { params: { query: { limit: 500, cursor } } }));
    ledger.unshift(...part.ledger.toReversed());
    cursor = part.next_cursor ?? undefined;
    const oldest = ledger[0]?.created_at ?? from;
    const isComplete = cursor === undefined || Date.parse(oldest) < Date.parse(from);
    if (!isComplete && page < PAGES) continue;
    const start = isComplete ? from : oldest;
    // The last entry before the period has the balance at its start.
    const first = ledger.findIndex(({ created_at }) => Date.parse(created_at) >= Date.parse(start));
    const kept = first === -1 ? ledger.slice(-1) : ledger.slice(Math.max(0, first - 1));
    return { balance: part.balance, ledger: kept, from: start, now: Date.now() };
  }
}

function lasts({ balance, ledger, from, now }: Usage): string {
  if (balance <= 0) return text.over;
  const charges = ledger
    .map(({ created_at, amount }) => ({ at: Date.parse(created_at), credits: -amount }))
    .filter(({ at, credits }) => credits > 0 && at >= Date.parse(from));
  if (charges.length === 0) return text.idle(shortMoment(from));
  const range = forecast(balance, charges, now);
  if (range === null) return text.unclear;
  const since = new Date(charges[0]?.at ?? from).toISOString();
  return text.lasts(durationRange(range.soonest, range.latest), shortMoment(since));
}
