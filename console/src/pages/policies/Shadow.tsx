import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { policies, projects } from '@/api/data';
import { queries } from '@/api/queries';
import type { StoredPolicy } from '@/lib/policy';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';
import { ShadowResult } from './ShadowResult';
import type { Draft } from './useDraft';

/** Projects in which this policy watches beside the one that decides, and what it would have done. */
export function Shadow({ stored, draft }: { stored: StoredPolicy; draft: Draft }) {
  const may = usePermission();
  const navigate = useNavigate();
  const query = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') });
  const known = useQuery(policies).data ?? [];
  const [project, setProject] = useState('');
  const set = useMutation({
    mutationFn: ({ projectId, shadow }: { projectId: string; shadow: string | null }) =>
      answer(
        api.PUT('/api/project/{projectId}', { params: { path: { projectId } }, body: { shadow_policy_id: shadow } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['projects'] }),
  });
  const keep = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/policy/create', {
          body: {
            ...draft.policy,
            policyName: `${draft.policy.policyName} (draft of version ${stored.version})`.slice(-100),
          },
        }),
      ),
    onSuccess: async ({ policyId }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      toast('The draft is a policy of its own now; let it shadow a project.');
      await navigate({ to: '/policies/$policyId', params: { policyId }, search: { tab: 'shadow' } });
    },
  });
  const mayChange = may('PROJECTS:UPDATE_PROJECT');
  return (
    <Card title="Shadow" note="judges real traffic beside the deciding policy, and changes nothing">
      <Loaded query={query}>
        {(all) => {
          const watched = all.filter(({ shadow_policy_id }) => shadow_policy_id === stored.policyId);
          const free = all.filter(
            ({ shadow_policy_id, policyId }) => shadow_policy_id !== stored.policyId && policyId !== stored.policyId,
          );
          return (
            <div className="space-y-4">
              <Table
                name="Projects that this policy shadows"
                rows={watched}
                id={({ projectId }) => projectId}
                empty={<p className="text-body text-quiet">This policy shadows no project.</p>}
                columns={[
                  {
                    head: 'Project',
                    cell: ({ projectId, projectName }) => (
                      <Link
                        to="/logs"
                        search={{ project: projectId }}
                        className="font-medium text-accent hover:underline"
                      >
                        {projectName}
                      </Link>
                    ),
                  },
                  {
                    head: 'Decided by',
                    cell: ({ policyId }) => known.find((one) => one.policyId === policyId)?.policyName,
                  },
                  { head: 'In the last 7 days', cell: ({ projectId }) => <ShadowResult project={projectId} /> },
                  {
                    head: 'Change',
                    cell: ({ projectId }) =>
                      mayChange && (
                        <Button small onClick={() => set.mutate({ projectId, shadow: null })}>
                          Stop
                        </Button>
                      ),
                  },
                ]}
              />
              {mayChange && free.length > 0 && (
                <div className="flex flex-wrap items-end gap-3">
                  <Select
                    label="Shadow another project"
                    boxClass="w-64"
                    value={project}
                    options={[
                      ['', 'Choose a project'],
                      ...free.map(({ projectId, projectName }) => [projectId, projectName] as const),
                    ]}
                    onChange={(event) => setProject(event.target.value)}
                  />
                  <Button
                    disabled={project === ''}
                    busy={set.isPending}
                    onClick={() => {
                      set.mutate({ projectId: project, shadow: stored.policyId });
                      setProject('');
                    }}
                  >
                    Shadow it
                  </Button>
                </div>
              )}
              {draft.changed > 0 && may('FIREWALL_POLICIES:CREATE_POLICY') && (
                <Button busy={keep.isPending} onClick={() => keep.mutate()}>
                  Keep the draft as a policy that can shadow
                </Button>
              )}
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}
