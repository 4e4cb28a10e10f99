import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Schema } from '@/api/client';
import { keys } from '@/api/data';
import { Ranking } from '@/charts/Ranking';
import { fill } from '@/lib/fill';
import { words } from '@/lib/format';
import type { Range } from '@/lib/period';
import { common } from '@/messages/common';
import { messages } from '@/messages/dashboard';
import { usePermission } from '@/session/me';
import { Choice } from '@/ui/Field';
import { Card } from '@/ui/Page';

const text = messages.top;

type NamedProject = Pick<Schema<'ProjectRecord'>, 'projectId' | 'projectName'>;
type Filters = Range & { project: string | undefined };
type Props = { data: Schema<'DashboardMetrics'>; filters: Filters; known: NamedProject[] };
type By = 'requests' | 'blocked';

const field = (name: string) => <code className="font-mono text-xs">{name}</code>;

/** The most frequent guardrails, projects, users, applications and API keys, linked to their log entries. */
export function Rankings({ data, filters, known }: Props) {
  return (
    <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-6 2xl:grid-cols-5 [&>*]:xl:col-span-2 [&>*]:2xl:col-span-1 [&>*:nth-child(n+4)]:xl:col-span-3 [&>*:nth-child(n+4)]:2xl:col-span-1">
      <Card title={text.guardrails}>
        <Ranking
          entries={data.top_guardrails}
          empty={text.noGuardrails}
          link={({ name }) => (
            <Link to="/logs" search={{ ...filters, guardrail: name }} className="hover:underline">
              {words(name)}
            </Link>
          )}
        />
      </Card>
      <Card title={text.projects}>
        <Ranking
          entries={data.top_projects}
          empty={text.noProjects}
          link={({ name }) => <ProjectLink name={name} filters={filters} known={known} />}
        />
      </Card>
      <ByRequestsOrBlocked
        title={text.users}
        name="username"
        requests={data.top_users}
        blocked={data.top_blocked_users}
        empty={fill(text.noUsers, { field: field('username') })}
        filters={filters}
      />
      <ByRequestsOrBlocked
        title={text.applications}
        name="source_app"
        requests={data.top_apps}
        blocked={data.top_blocked_apps}
        empty={fill(text.noApplications, { field: field('source_app') })}
        filters={filters}
      />
      <BlockedKeys entries={data.top_blocked_keys} filters={filters} />
    </div>
  );
}

type RankingProps = {
  title: string;
  name: 'username' | 'source_app';
  requests: Schema<'Named'>[];
  blocked: Schema<'Named'>[];
  empty: ReactNode;
  filters: Filters;
};

/** A ranking by all requests, or by the blocked ones. */
function ByRequestsOrBlocked({ title, name: filter, requests, blocked, empty, filters }: RankingProps) {
  const [by, setBy] = useState<By>('requests');
  const outcome = by === 'blocked' ? 'blocked' : undefined;
  return (
    <Card
      title={title}
      actions={
        <Choice
          aria-label={text.rankedBy(title)}
          className="min-h-7! py-0! text-xs!"
          value={by}
          onChange={(event) => setBy(event.target.value as By)}
        >
          <option value="requests">{text.byRequests}</option>
          <option value="blocked">{text.byBlocked}</option>
        </Choice>
      }
    >
      <Ranking
        entries={by === 'blocked' ? blocked : requests}
        empty={by === 'blocked' && requests.length > 0 ? text.noBlocked : empty}
        link={({ name }) => (
          <Link to="/logs" search={{ ...filters, outcome, [filter]: name }} className="hover:underline">
            {name}
          </Link>
        )}
      />
    </Card>
  );
}

function BlockedKeys({ entries, filters }: { entries: Schema<'Named'>[]; filters: Filters }) {
  const may = usePermission();
  const known = useQuery({ ...keys, enabled: may('API_KEYS:VIEW_API_KEY') }).data ?? [];
  return (
    <Card title={text.blockedKeys}>
      <Ranking
        entries={entries}
        empty={text.noBlockedKeys}
        link={({ name: id }) => (
          <Link
            to="/logs"
            search={{ ...filters, outcome: 'blocked', principal: `api_key:${id}` }}
            className="hover:underline"
          >
            {known.find(({ key_id }) => key_id === id)?.name ?? common.unknownKey(id.slice(0, 8))}
          </Link>
        )}
      />
    </Card>
  );
}

function ProjectLink({ name, filters, known }: Pick<Props, 'known'> & { name: string; filters: Filters }) {
  const project = known.find(({ projectName }) => projectName === name)?.projectId;
  return project === undefined ? (
    name
  ) : (
    <Link to="/logs" search={{ ...filters, project }} className="hover:underline">
      {name}
    </Link>
  );
}
