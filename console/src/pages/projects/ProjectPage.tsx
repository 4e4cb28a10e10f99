import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { ApiError } from '@/api/error';
import { HOURLY_PERIODS } from '@/lib/period';
import { common } from '@/messages/common';
import { messages } from '@/messages/projects';
import { ConnectClient } from '@/pages/connect/ConnectClient';
import { Routes } from '@/pages/gateway/Routes';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { PeriodPicker } from '@/ui/PeriodPicker';
import { Tab, Tabs } from '@/ui/Tabs';
import { DeleteProject } from './DeleteProject';
import { Facts } from './Facts';
import { Members } from './Members';
import { Overview } from './Overview';
import { ProjectDialog } from './ProjectDialog';

const text = messages.page;
const route = getRouteApi('/app/projects/$projectId');
const TABS = Object.entries(text.tabs);
const USUAL = '24h';

/** Shows a project: its settings, its requests in a period, its members and routes, and how to connect to it. */
export function ProjectPage() {
  const { projectId } = route.useParams();
  const query = useQuery({
    queryKey: ['projects', projectId],
    queryFn: () => answer(api.GET('/api/project/{projectId}', { params: { path: { projectId } } })),
  });
  const isMissing = query.error instanceof ApiError && [403, 404, 422].includes(query.error.status);
  if (isMissing && query.data === undefined) return <Missing />;
  return (
    <Loaded query={query} lines={10}>
      {(project) => <Project key={projectId} project={project} />}
    </Loaded>
  );
}

function Project({ project }: { project: Schema<'ProjectRecord'> }) {
  const { tab = 'overview', ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { projectId, projectName } = project;
  return (
    <Page title={projectName} actions={<Actions project={project} />}>
      <Facts project={project} />
      <Tabs
        name={text.sections}
        tabs={TABS}
        value={tab}
        onChange={(next) => void navigate({ search: { ...search, tab: next }, replace: true })}
      >
        <Tab id="overview">
          <div className="flex flex-col gap-4">
            <div className="self-end">
              <PeriodPicker
                period={search}
                offered={HOURLY_PERIODS}
                usual={USUAL}
                onChange={(picked) => void navigate({ search: picked })}
              />
            </div>
            <Overview
              projectId={projectId}
              period={search}
              onZoom={(range) => void navigate({ search: { from: range.from, to: range.to } })}
            />
          </div>
        </Tab>
        <Tab id="members">
          <Card>
            <Members projectId={projectId} />
          </Card>
        </Tab>
        <Tab id="gateway">
          <Routes of={projectId} />
        </Tab>
        <Tab id="connect">
          <Card>
            <ConnectClient project={projectId} />
          </Card>
        </Tab>
      </Tabs>
    </Page>
  );
}

function Actions({ project }: { project: Schema<'ProjectRecord'> }) {
  const may = usePermission();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {may('PROJECTS:UPDATE_PROJECT') && (
        <Button onClick={() => setOpen('edit')}>
          <Pencil aria-hidden size={14} />
          {common.edit}
        </Button>
      )}
      {may('PROJECTS:DELETE_PROJECT') && (
        <Button kind="danger" onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden size={14} />
          {common.delete}
        </Button>
      )}
      {open === 'edit' && <ProjectDialog project={project} onClose={close} />}
      {open === 'delete' && (
        <DeleteProject project={project} onClose={close} onDeleted={() => navigate({ to: '/projects' })} />
      )}
    </>
  );
}

function Missing() {
  return (
    <Page title={common.project}>
      <div className="card">
        <Empty
          title={text.missing}
          action={
            <Link to="/projects" className="text-accent underline">
              {text.all}
            </Link>
          }
        >
          {text.missingBody}
        </Empty>
      </div>
    </Page>
  );
}
