import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { fill } from '@/lib/fill';
import { count } from '@/lib/format';
import { HOURLY_PERIODS, hourlyRange } from '@/lib/period';
import { messages } from '@/messages/credits';
import { CreditForecast } from '@/pages/dashboard/CreditForecast';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { PeriodPicker } from '@/ui/PeriodPicker';
import { Ledger } from './Ledger';
import { UsageTable } from './UsageTable';

const route = getRouteApi('/app/credits');
const USUAL = '30d';
const PROPERTIES = ['project', 'api_key', 'user', 'application', 'operation'] as const;

/** Shows the balance, and the credits of a period: over time, by project and others, and in the ledger. */
export function Credits() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const period = search.last || search.from || search.to ? search : { last: USUAL };
  const range = hourlyRange(period);
  return (
    <Page
      title={messages.title}
      intro={fill(messages.intro, { command: <code className="font-mono text-xs">{messages.command}</code> })}
      actions={
        <PeriodPicker
          period={search}
          offered={HOURLY_PERIODS}
          usual={USUAL}
          onChange={(picked) => void navigate({ search: picked })}
        />
      }
    >
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <CreditForecast range={range} />
        <Prices />
      </div>
      <UsageTable range={range} offered={PROPERTIES} />
      <Ledger range={range} />
    </Page>
  );
}

/** The price of each operation. */
function Prices() {
  const query = useQuery({
    queryKey: ['credits', 'prices'],
    queryFn: () => answer(api.GET('/api/credits', { params: { query: { limit: 1 } } })),
  });
  return (
    <Card title={messages.prices}>
      <Loaded query={query}>{(credits) => <PriceList of={credits} />}</Loaded>
    </Card>
  );
}

function PriceList({ of: { cost, unit } }: { of: Schema<'Credits'> }) {
  const operations = Object.keys(messages.operations) as (keyof typeof messages.operations)[];
  return (
    <>
      <p className="mb-3 text-xs text-quiet">{unit === 0 ? messages.perCall : messages.perUnit(count(unit))}</p>
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-body">
        {operations.map((operation) => (
          <div key={operation}>
            <dt className="text-xs text-quiet">{messages.operations[operation]}</dt>
            <dd className="tabular font-medium">{messages.price(cost[operation])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
