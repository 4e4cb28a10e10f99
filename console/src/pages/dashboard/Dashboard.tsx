import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { projects } from '@/api/data';
import { Ranking } from '@/charts/Ranking';
import { fill } from '@/lib/fill';
import { words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/dashboard';
import { usePermission } from '@/session/me';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { ConfidenceHistogram } from './ConfidenceHistogram';
import { CreditForecast } from './CreditForecast';
import { GettingStarted } from './GettingStarted';
import { Latency } from './Latency';
import { PERIODS, type Period, periodOf, type Range, rangeOf } from './period';
import { Threats } from './Threats';
import { Totals } from './Totals';

type NamedProject = Pick<Schema<'ProjectRecord'>, 'projectId' | 'projectName'>;

const route = getRouteApi('/app/');

const metrics = (period: Period, project: string | undefined) =>
  queryOptions({
    queryKey: ['dashboard', period.days, project],
    // The times stay with the metrics, so that links open exactly what was counted.
    queryFn: async () => {
      const range = rangeOf(period);
      return { ...(await answer(api.GET('/api/dashboard', { params: { query: { ...range, project } } }))), range };
    },
    refetchInterval: 15_000,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** Shows requests, threats and costs of a period. */
export function Dashboard() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = usePermission();
  const period = periodOf(search.days);
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
            boxClass="w-44"
            value={search.project ?? ''}
            options={[
              ['', common.allProjects],
              ...known.map(({ projectId, projectName }) => [projectId, projectName] as const),
            ]}
            onChange={(event) =>
              void navigate({ search: (old) => ({ ...old, project: event.target.value || undefined }) })
            }
          />
          <Select
            label={messages.period}
            hidden
            boxClass="w-40"
            value={period.days ?? ''}
            options={PERIODS.map(({ days, label }) => [String(days ?? ''), label] as const)}
            onChange={(event) =>
              void navigate({ search: (old) => ({ ...old, days: Number(event.target.value) || undefined }) })
            }
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
              period={period}
              range={data.range}
              project={search.project}
            />
            <Rankings data={data} filters={{ ...data.range, project: search.project }} known={known} />
            <div className="grid gap-4 lg:grid-cols-3">
              <ConfidenceHistogram confidences={data.confidences} top={data.top_guardrails.map(({ name }) => name)} />
              <Latency latency={data.latency_ms} />
              {may('CREDITS:VIEW_CREDIT') && <CreditForecast period={period} range={data.range} />}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

type RankingsProps = {
  data: Schema<'DashboardMetrics'>;
  filters: Range & { project: string | undefined };
  known: NamedProject[];
};

/** The most frequent guardrails, projects, users and applications, linked to their log entries. */
function Rankings({ data, filters, known }: RankingsProps) {
  return (
    <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-4">
      <Card title={messages.top.guardrails}>
        <Ranking
          entries={data.top_guardrails}
          empty={messages.top.noGuardrails}
          link={({ name }) => (
            <Link to="/logs" search={{ ...filters, guardrail: name }} className="hover:underline">
              {words(name)}
            </Link>
          )}
        />
      </Card>
      <Card title={messages.top.projects}>
        <Ranking
          entries={data.top_projects}
          empty={messages.top.noProjects}
          link={({ name }) => <ProjectLink name={name} filters={filters} known={known} />}
        />
      </Card>
      <Card title={messages.top.users}>
        <Ranking
          entries={data.top_users}
          empty={fill(messages.top.noUsers, { field: <code className="font-mono text-xs">username</code> })}
          link={({ name }) => (
            <Link to="/logs" search={{ ...filters, username: name }} className="hover:underline">
              {name}
            </Link>
          )}
        />
      </Card>
      <Card title={messages.top.applications}>
        <Ranking
          entries={data.top_apps}
          empty={fill(messages.top.noApplications, {
            field: <code className="font-mono text-xs">source_app</code>,
          })}
          link={({ name }) => (
            <Link to="/logs" search={{ ...filters, source_app: name }} className="hover:underline">
              {name}
            </Link>
          )}
        />
      </Card>
    </div>
  );
}

function ProjectLink({ name, filters, known }: Pick<RankingsProps, 'filters' | 'known'> & { name: string }) {
  const project = known.find(({ projectName }) => projectName === name)?.projectId;
  return project === undefined ? (
    name
  ) : (
    <Link to="/logs" search={{ ...filters, project }} className="hover:underline">
      {name}
    </Link>
  );
}
