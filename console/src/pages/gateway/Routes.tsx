import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '@/api/client';
import { connectors, projects } from '@/api/data';
import { common } from '@/messages/common';
import { messages as connectorTexts } from '@/messages/connectors';
import { messages as text } from '@/messages/gateway';
import { TONES } from '@/pages/connectors/types';
import { ProjectDialog } from '@/pages/projects/ProjectDialog';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';

type Project = Schema<'ProjectRecord'>;
type Connector = Schema<'ListedConnector'>;
type Row = { project: Project; route: Schema<'GatewaySettings'>['routes'][number]; at: number };

/** The routes from models to connectors, with the state of each connector: those of all projects or of one. */
export function Routes({ of: only }: { of?: string }) {
  const may = usePermission();
  const query = useQuery(projects);
  const known = useQuery({ ...connectors, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data ?? [];
  const [edited, setEdited] = useState<Project | null>(null);
  const nameOf = (id: string | null | undefined) =>
    id == null ? null : (known.find((one) => one.id === id)?.name ?? text.unknownConnector);
  return (
    <Card title={text.routes} note={text.routesNote}>
      <Loaded query={query}>
        {(all) => (
          <Table
            name={text.routes}
            rows={rowsOf(all).filter(({ project }) => only === undefined || project.projectId === only)}
            id={({ project, at }) => `${project.projectId} ${at}`}
            empty={<NoRoutes />}
            columns={[
              {
                head: text.project,
                value: ({ project }) => project.projectName,
                cell: ({ project }) => (
                  <Link
                    to="/logs"
                    search={{ project: project.projectId, surface: 'gateway' }}
                    className="font-medium text-accent hover:underline"
                  >
                    {project.projectName}
                  </Link>
                ),
              },
              {
                head: text.model,
                value: ({ route }) => route.model,
                cell: ({ route }) => <code className="font-mono text-xs">{route.model}</code>,
              },
              {
                head: text.upstream,
                value: ({ route }) => nameOf(route.connector_id),
                cell: ({ route }) => <Upstream id={route.connector_id} known={known} />,
              },
              { head: text.upstreamModel, value: ({ route }) => route.upstream_model ?? text.same },
              { head: text.fallback, value: ({ route }) => nameOf(route.fallback_connector_id) ?? common.none },
              {
                head: text.onBlock,
                value: ({ project }) => text.onBlocks[project.gateway?.on_block ?? 'refusal'],
              },
              {
                head: common.actions,
                cell: ({ project, at }) =>
                  at === 0 &&
                  may('PROJECTS:UPDATE_PROJECT') && (
                    <Button small aria-label={text.edit(project.projectName)} onClick={() => setEdited(project)}>
                      {common.edit}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {edited && <ProjectDialog project={edited} onClose={() => setEdited(null)} />}
    </Card>
  );
}

const rowsOf = (all: Project[]): Row[] =>
  all.flatMap((project) => (project.gateway?.routes ?? []).map((route, at) => ({ project, route, at })));

function Upstream({ id, known }: { id: string; known: Connector[] }) {
  const connector = known.find((one) => one.id === id);
  if (connector === undefined) return text.unknownConnector;
  return (
    <span className="inline-flex items-center gap-2">
      {connector.name}
      <Pill tone={TONES[connector.status] ?? 'plain'}>
        {connectorTexts.states[connector.status] ?? connector.status}
      </Pill>
    </span>
  );
}

function NoRoutes() {
  return (
    <Empty
      title={text.noRoutesTitle}
      action={
        <Link to="/projects" className="text-body text-accent underline">
          {text.toProjects}
        </Link>
      }
    >
      {text.noRoutesBody}
    </Empty>
  );
}
