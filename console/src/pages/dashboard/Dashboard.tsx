import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projects } from '@/api/data';
import { HOURLY_PERIODS, type Period } from '@/lib/period';
import { common } from '@/messages/common';
import { messages } from '@/messages/dashboard';
import { usePermission } from '@/session/me';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Page } from '@/ui/Page';
import { PeriodPicker } from '@/ui/PeriodPicker';
import { ConfidenceHistogram } from './ConfidenceHistogram';
import { CreditForecast } from './CreditForecast';
import { GettingStarted } from './GettingStarted';
import { Latency } from './Latency';
import { metrics } from './metrics';
import { Rankings } from './Rankings';
import { Threats } from './Threats';
import { Totals } from './Totals';

const route = getRouteApi('/app/');

/** Shows requests, threats and costs of a period. */
export function Dashboard() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = usePermission();
  const period: Period = { last: search.last, from: search.from, to: search.to };
  const query = useQuery(metrics(period, search.project));
  const known = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  return (
    <Page
      title={messages.title}
      actions={
        <>
          <Select
            label={common.project}
            hidden
            boxClass="w-52"
            value={search.project ?? ''}
            options={[
              ['', common.allProjects],
              ...known.map(({ projectId, projectName }) => [projectId, projectName] as const),
            ]}
            onChange={(event) =>
              void navigate({ search: (old) => ({ ...old, project: event.target.value || undefined }) })
            }
          />
          <PeriodPicker
            period={period}
            offered={HOURLY_PERIODS}
            usual="24h"
            onChange={(picked) => void navigate({ search: { project: search.project, ...picked } })}
          />
        </>
      }
    >
      <Loaded query={query} lines={12}>
        {(data) => (
          <>
            <GettingStarted />
            <Totals totals={data.totals} previous={data.previous} range={data.range} project={search.project} />
            <Threats
              hours={data.threats_per_hour}
              top={data.top_guardrails.map(({ name }) => name)}
              range={data.range}
              project={search.project}
              onZoom={(range) => void navigate({ search: { project: search.project, ...range } })}
            />
            <Rankings data={data} filters={{ ...data.range, project: search.project }} known={known} />
            <div className="grid gap-4 lg:grid-cols-3">
              <ConfidenceHistogram confidences={data.confidences} top={data.top_guardrails.map(({ name }) => name)} />
              <Latency latency={data.latency_ms} />
              {may('CREDITS:VIEW_CREDIT') && (
                <CreditForecast range={data.range}>
                  <Link to="/credits" className="text-xs text-accent hover:underline">
                    {messages.credits.ledger}
                  </Link>
                </CreditForecast>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
