import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { policies, projects } from '@/api/data';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { Ago } from '@/ui/Time';
import { NewPolicy } from './NewPolicy';

const MODES = { input: 'prompts', output: 'responses', unified: 'prompts and responses' };

/** The policies of the organisation. */
export function Policies() {
  const may = usePermission();
  const query = useQuery(policies);
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const [isNew, setNew] = useState(false);
  const add = may('FIREWALL_POLICIES:CREATE_POLICY') && (
    <Button kind="primary" onClick={() => setNew(true)}>
      <Plus aria-hidden size={14} />
      New policy
    </Button>
  );
  return (
    <Page
      title="Policies"
      intro="A policy says what is looked for and what happens then. A project names the policy that decides for one application."
      actions={add}
    >
      <Card>
        <Loaded query={query}>
          {(rows) => (
            <Table
              name="Policies"
              rows={rows}
              id={({ policyId }) => policyId}
              empty={
                <Empty title="No policy yet" action={add}>
                  Without one, requests are decided by the default policy: every detector that needs no setting. Begin
                  with a template, and adapt it.
                </Empty>
              }
              columns={[
                {
                  head: 'Name',
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
                  head: 'Guards',
                  cell: ({ policyMode }) => <span className="whitespace-nowrap">{MODES[policyMode]}</span>,
                },
                {
                  head: 'Guardrails',
                  cell: ({ guardrails }) => guardrails.filter(({ enabled }) => enabled).length,
                  number: true,
                },
                {
                  head: 'Decides for',
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
                            {projectName} (shadow)
                          </Pill>
                        ))}
                    </span>
                  ),
                },
                { head: 'Version', cell: ({ version }) => version, number: true },
                { head: 'Changed', cell: ({ updated_at }) => <Ago at={updated_at} /> },
              ]}
            />
          )}
        </Loaded>
      </Card>
      {isNew && <NewPolicy onClose={() => setNew(false)} />}
    </Page>
  );
}
