import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { policies as allPolicies } from '@/api/data';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { common } from '@/messages/common';
import { messages } from '@/messages/projects';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Gateway } from './Gateway';
import { LOG_CONTENTS } from './logContents';

const ON_STORE_FAILURE = [
  ['refuse', messages.storeFailures.refuse],
  ['spool', messages.storeFailures.spool],
] as const;

/** Creates or edits a project. */
export function ProjectDialog({ project, onClose }: { project: Schema<'ProjectRecord'> | null; onClose: () => void }) {
  const known = useQuery(allPolicies);
  const [gateway, setGateway] = useState(project?.gateway ?? null);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (form: FormData) => {
      const body = {
        projectName: String(form.get('name')),
        policyId: String(form.get('policy')),
        log_content: (form.get('content') || undefined) as Schema<'LogContent'> | undefined,
        shadow_policy_id: String(form.get('shadow')) || null,
        on_store_failure: form.get('failure') as Schema<'StoreFailure'>,
        gateway: gateway?.routes.length ? gateway : null,
      };
      return project === null
        ? answer(api.POST('/api/project/create', { body }))
        : answer(api.PUT('/api/project/{projectId}', { params: { path: { projectId: project.projectId } }, body }));
    },
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['projects'] });
    },
  });
  return (
    <Dialog
      wide
      title={project === null ? messages.newTitle : common.editNamed(project.projectName)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="project" busy={run.isPending}>
            {project === null ? common.create : common.save}
          </Button>
        </>
      }
    >
      <Loaded query={known}>
        {(list) => {
          const names = list.map(({ policyId, policyName }) => [policyId, policyName] as const);
          if (names.length === 0)
            return (
              <p className="text-body">
                {fill(messages.policyMissing, {
                  link: (
                    <Link to="/policies" className="text-accent underline">
                      {messages.createPolicy}
                    </Link>
                  ),
                })}
              </p>
            );
          return (
            <Form project={project} policies={names} onSubmit={(form) => run.mutate(form)}>
              <Gateway
                gateway={gateway}
                error={run.error}
                onChange={(changed) => {
                  // The error may be about another row now.
                  run.reset();
                  setGateway(changed);
                }}
              />
              {run.error && <ErrorNote error={run.error} />}
            </Form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

type FormProps = {
  project: Schema<'ProjectRecord'> | null;
  policies: (readonly [string, string])[];
  onSubmit: (form: FormData) => void;
  children: ReactNode;
};

function Form({ project, policies, onSubmit, children }: FormProps) {
  return (
    <form
      id="project"
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      <Input
        label={common.name}
        name="name"
        required
        maxLength={100}
        defaultValue={project?.projectName}
        placeholder={messages.namePlaceholder}
      />
      <Select label={messages.policy} name="policy" defaultValue={project?.policyId} options={policies} />
      <Select
        label={messages.shadowPolicy}
        name="shadow"
        defaultValue={project?.shadow_policy_id ?? ''}
        options={[['', common.none], ...policies]}
        hint={messages.shadowHint}
      />
      <Select
        label={messages.logContent}
        name="content"
        defaultValue={project?.log_content ?? ''}
        options={project === null ? [['', messages.organizationDefault], ...LOG_CONTENTS] : LOG_CONTENTS}
      />
      <Select
        label={messages.storeFailure}
        name="failure"
        defaultValue={project?.on_store_failure ?? 'refuse'}
        options={ON_STORE_FAILURE}
        hint={messages.storeFailureHint}
      />
      {children}
    </form>
  );
}
