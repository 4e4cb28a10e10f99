import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '@/api/client';
import { Line } from '@/charts/Line';
import { count } from '@/lib/format';
import { messages } from '@/messages/dashboard';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';

/** Shows the balance and how long it lasts at the rate of recent ledger entries. */
export function CreditForecast() {
  const query = useQuery({
    queryKey: ['credits', 'latest'],
    queryFn: () => answer(api.GET('/api/credits', { params: { query: { limit: 500 } } })),
    refetchInterval: 30_000,
  });
  return (
    <Card
      title={messages.credits.title}
      actions={
        <Link to="/credits" className="text-xs text-accent hover:underline">
          {messages.credits.ledger}
        </Link>
      }
    >
      <Loaded query={query}>
        {({ balance, ledger }) => {
          const points = ledger
            .map(({ created_at, balance_after }) => ({ at: Date.parse(created_at), value: balance_after }))
            .reverse();
          return (
            <>
              <p className="tabular text-2xl font-semibold tracking-tight">{count(balance)}</p>
              <p className="mb-2 text-xs text-quiet">{lasts(balance, points)}</p>
              <Line points={points} description={messages.credits.chart(points.length, count(balance))} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function lasts(balance: number, points: { at: number; value: number }[]): string {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || first.value <= last.value) return messages.credits.idle;
  const days = balance / ((first.value - last.value) / Math.max(last.at - first.at, 3_600_000)) / 86_400_000;
  return days > 365 ? messages.credits.overAYear : messages.credits.days(Math.max(1, Math.round(days)));
}
