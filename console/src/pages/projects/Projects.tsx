import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Schema } from '@/api/client';
import { policies, projects } from '@/api/data';
import { words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/projects';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Table } from '@/ui/Table';
import { DeleteProject } from './DeleteProject';
import { MembersDialog } from './MembersDialog';
import { ProjectDialog } from './ProjectDialog';

type Project = Schema<'ProjectRecord'>;
type Open = { kind: 'new' } | { kind: 'edit' | 'members' | 'delete'; project: Project };

/** Lists the projects and their policies. */
export function Projects() {
  const may = usePermission();
  const query = useQuery(projects);
  const known = useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data ?? [];
  const [open, setOpen] = useState<Open | null>(null);
  const nameOf = (id: string | null | undefined) => known.find(({ policyId }) => policyId === id)?.policyName ?? id;
  const add = may('PROJECTS:CREATE_PROJECT') && (
    <Button kind="primary" onClick={() => setOpen({ kind: 'new' })}>
      <Plus aria-hidden size={14} />
      {messages.create}
    </Button>
  );
  return (
    <Page title={messages.title} intro={messages.intro} actions={add}>
      <Card>
        <Loaded query={query}>
          {(rows) => (
            <Table
              name={messages.title}
              rows={rows}
              id={({ projectId }) => projectId}
              empty={
                <Empty title={messages.emptyTitle} action={add}>
                  {messages.emptyBody}
                </Empty>
              }
              columns={[
                {
                  head: common.name,
                  value: ({ projectName }) => projectName,
                  cell: ({ projectId, projectName }) => (
                    <Link
                      to="/projects/$projectId"
                      params={{ projectId }}
                      className="font-medium text-accent hover:underline"
                    >
                      {projectName}
                    </Link>
                  ),
                },
                {
                  head: messages.policy,
                  value: ({ policyId }) => nameOf(policyId),
                  cell: ({ policyId, shadow_policy_id }) => (
                    <span className="block min-w-40">
                      <Link to="/policies/$policyId" params={{ policyId }} className="text-accent hover:underline">
                        {nameOf(policyId)}
                      </Link>
                      {shadow_policy_id && (
                        <span className="block text-xs text-quiet">{messages.shadow(nameOf(shadow_policy_id))}</span>
                      )}
                    </span>
                  ),
                },
                {
                  head: messages.logContent,
                  value: ({ log_content }) => words(log_content),
                  cell: ({ log_content, on_store_failure }) => (
                    <span>
                      {words(log_content)}
                      {on_store_failure === 'spool' && (
                        <span className="block text-xs text-quiet">{messages.continues}</span>
                      )}
                    </span>
                  ),
                },
                {
                  head: messages.id,
                  value: ({ projectId }) => projectId,
                  cell: ({ projectId, projectName }) => (
                    <span className="inline-flex items-center">
                      <code className="font-mono text-xs sm:whitespace-nowrap" title={projectId}>
                        {projectId}
                      </code>
                      <Copy text={projectId} label={messages.copyId(projectName)} />
                    </span>
                  ),
                },
                { head: messages.updated, value: ({ updated_at }) => new Date(updated_at) },
                {
                  head: common.actions,
                  cell: (project) => <RowActions project={project} onOpen={(kind) => setOpen({ kind, project })} />,
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      {open?.kind === 'new' && <ProjectDialog project={null} onClose={() => setOpen(null)} />}
      {open?.kind === 'edit' && <ProjectDialog project={open.project} onClose={() => setOpen(null)} />}
      {open?.kind === 'members' && <MembersDialog project={open.project} onClose={() => setOpen(null)} />}
      {open?.kind === 'delete' && <DeleteProject project={open.project} onClose={() => setOpen(null)} />}
    </Page>
  );
}

type RowProps = { project: Project; onOpen: (dialog: 'edit' | 'members' | 'delete') => void };

function RowActions({ project, onOpen }: RowProps) {
  const may = usePermission();
  return (
    <span className="flex items-center gap-1.5">
      {may('LOGS:VIEW_LOG') && (
        <Link
          to="/logs"
          search={{ project: project.projectId }}
          className="px-1 text-xs whitespace-nowrap text-accent hover:underline"
        >
          {messages.viewLog}
          <span className="sr-only"> {project.projectName}</span>
        </Link>
      )}
      <Button small onClick={() => onOpen('members')}>
        {messages.members}
      </Button>
      {may('PROJECTS:UPDATE_PROJECT') && (
        <Button small onClick={() => onOpen('edit')}>
          {common.edit}
          <span className="sr-only"> {project.projectName}</span>
        </Button>
      )}
      {may('PROJECTS:DELETE_PROJECT') && (
        <Button small kind="danger" onClick={() => onOpen('delete')}>
          {common.delete}
          <span className="sr-only"> {project.projectName}</span>
        </Button>
      )}
    </span>
  );
}
