import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { policies, projects } from '@/api/data';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { NewPolicy } from './NewPolicy';

/** Lists and creates policies. */
export function Policies() {
  const may = usePermission();
  const query = useQuery(policies);
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const [isNew, setNew] = useState(false);
  const add = may('FIREWALL_POLICIES:CREATE_POLICY') && (
    <Button kind="primary" onClick={() => setNew(true)}>
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
              id={({ policyId }) => policyId}
              empty={
                <Empty title={messages.emptyTitle} action={add}>
                  {messages.emptyBody}
                </Empty>
              }
              columns={[
                {
                  head: common.name,
                  value: ({ policyName }) => policyName,
                  cell: ({ policyId, policyName, policyDescription }) => (
                    <div className="min-w-48">
                      <Link
                        to="/policies/$policyId"
                        params={{ policyId }}
                        className="font-medium text-accent hover:underline"
                      >
                        {policyName}
                      </Link>
                      {policyDescription && (
                        <p className="line-clamp-1 max-w-xl text-xs text-quiet">{policyDescription}</p>
                      )}
                    </div>
                  ),
                },
                {
                  head: messages.direction,
                  value: ({ policyMode }) => messages.modes[policyMode],
                  cell: ({ policyMode }) => <span className="whitespace-nowrap">{messages.modes[policyMode]}</span>,
                },
                {
                  head: messages.guardrails,
                  value: ({ guardrails }) => guardrails.filter(({ enabled }) => enabled).length,
                  number: true,
                },
                {
                  head: messages.projects,
                  value: ({ policyId }) =>
                    made
                      .filter((project) => project.policyId === policyId)
                      .map(({ projectName }) => projectName)
                      .join(', '),
                  cell: ({ policyId }) => (
                    <span className="flex flex-wrap gap-1">
                      {made
                        .filter((project) => project.policyId === policyId)
                        .map(({ projectId, projectName }) => (
                          <Pill key={projectId}>{projectName}</Pill>
                        ))}
                      {made
                        .filter((project) => project.shadow_policy_id === policyId)
                        .map(({ projectId, projectName }) => (
                          <Pill key={`${projectId}s`} tone="challenge">
                            {messages.shadowed(projectName)}
                          </Pill>
                        ))}
                    </span>
                  ),
                },
                { head: messages.version, value: ({ version }) => version, number: true },
                { head: messages.updated, value: ({ updated_at }) => new Date(updated_at) },
              ]}
            />
          )}
        </Loaded>
      </Card>
      {isNew && <NewPolicy onClose={() => setNew(false)} />}
    </Page>
  );
}
