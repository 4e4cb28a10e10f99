import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { policies, projects } from '@/api/data';
import { queries } from '@/api/queries';
import type { StoredPolicy } from '@/lib/policy';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';
import { ShadowResult } from './ShadowResult';
import type { Draft } from './useDraft';

const text = messages.shadow;

/** The projects that this policy shadows, and how it would have decided there. */
export function Shadow({ stored, draft }: { stored: StoredPolicy; draft: Draft }) {
  const may = usePermission();
  const query = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') });
  const known = useQuery(policies).data ?? [];
  const set = useMutation({
    mutationFn: ({ projectId, shadow }: { projectId: string; shadow: string | null }) =>
      answer(
        api.PUT('/api/project/{projectId}', { params: { path: { projectId } }, body: { shadow_policy_id: shadow } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['projects'] }),
  });
  const mayChange = may('PROJECTS:UPDATE_PROJECT');
  return (
    <Card title={text.title} note={text.note}>
      <Loaded query={query}>
        {(all) => {
          const watched = all.filter(({ shadow_policy_id }) => shadow_policy_id === stored.policyId);
          const free = all.filter(
            ({ shadow_policy_id, policyId }) => shadow_policy_id !== stored.policyId && policyId !== stored.policyId,
          );
          return (
            <div className="space-y-4">
              <Table
                name={text.table}
                rows={watched}
                id={({ projectId }) => projectId}
                empty={<p className="text-body text-quiet">{text.empty}</p>}
                columns={[
                  {
                    head: common.project,
                    value: ({ projectName }) => projectName,
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
                    head: text.activePolicy,
                    value: ({ policyId }) => known.find((one) => one.policyId === policyId)?.policyName,
                  },
                  { head: text.lastWeek, cell: ({ projectId }) => <ShadowResult project={projectId} /> },
                  {
                    head: common.actions,
                    cell: ({ projectId }) =>
                      mayChange && (
                        <Button small onClick={() => set.mutate({ projectId, shadow: null })}>
                          {text.stop}
                        </Button>
                      ),
                  },
                ]}
              />
              {mayChange && free.length > 0 && (
                <StartShadowing
                  projects={free}
                  busy={set.isPending}
                  onStart={(projectId) => set.mutate({ projectId, shadow: stored.policyId })}
                />
              )}
              {draft.changed > 0 && may('FIREWALL_POLICIES:CREATE_POLICY') && (
                <SaveDraft stored={stored} draft={draft} />
              )}
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

type StartProps = { projects: Schema<'ProjectRecord'>[]; busy: boolean; onStart: (projectId: string) => void };

/** Selects a project to shadow. */
function StartShadowing({ projects: choices, busy, onStart }: StartProps) {
  const [project, setProject] = useState('');
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        label={text.another}
        boxClass="w-64"
        value={project}
        options={[['', text.choose], ...choices.map(({ projectId, projectName }) => [projectId, projectName] as const)]}
        onChange={(event) => setProject(event.target.value)}
      />
      <Button
        disabled={project === ''}
        busy={busy}
        onClick={() => {
          onStart(project);
          setProject('');
        }}
      >
        {text.start}
      </Button>
    </div>
  );
}

/** Saves the draft as a new policy, which can then shadow a project. */
function SaveDraft({ stored, draft }: { stored: StoredPolicy; draft: Draft }) {
  const navigate = useNavigate();
  const save = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/policy/create', {
          body: {
            ...draft.policy,
            policyName: text.draftName(draft.policy.policyName, stored.version).slice(-100),
          },
        }),
      ),
    onSuccess: async ({ policyId }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      toast(text.draftSaved);
      await navigate({ to: '/policies/$policyId', params: { policyId }, search: { tab: 'shadow' } });
    },
  });
  return (
    <Button busy={save.isPending} onClick={() => save.mutate()}>
      {text.saveDraft}
    </Button>
  );
}
