import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api, type Schema } from '@/api/client';
import { policies } from '@/api/data';
import { queries } from '@/api/queries';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';

const ON_STORE_FAILURE = [
  ['refuse', 'refuse guard calls'],
  ['spool', 'go on, and log later'],
] as const;
const ON_STORE_FAILURE_HINT =
  'Refuse: guard calls are answered with 503 until it is back. Go on: with an API key they are decided by the policy as it was last, kept in a file, and logged and charged afterwards. The embedded database is always there.';

/** A new project, or a change of one. */
export function ProjectDialog({ project, onClose }: { project: Schema<'ProjectRecord'> | null; onClose: () => void }) {
  const known = useQuery(policies);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (form: FormData) => {
      const body = {
        projectName: String(form.get('name')),
        policyId: String(form.get('policy')),
        log_content: String(form.get('content')),
        shadow_policy_id: String(form.get('shadow')) || null,
        on_store_failure: String(form.get('failure')),
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
      title={project === null ? 'New project' : `Change ${project.projectName}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="project" busy={run.isPending}>
            {project === null ? 'Create' : 'Save'}
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
                A project needs a policy.{' '}
                <Link to="/policies" className="text-accent underline">
                  Make one first.
                </Link>
              </p>
            );
          return (
            <form
              id="project"
              className="space-y-4"
              onSubmit={(event) => {
                event.preventDefault();
                run.mutate(new FormData(event.currentTarget));
              }}
            >
              <Input
                label="Name"
                name="name"
                required
                maxLength={100}
                defaultValue={project?.projectName}
                placeholder="Support chat"
              />
              <Select label="Policy that decides" name="policy" defaultValue={project?.policyId} options={names} />
              <Select
                label="Shadow policy"
                name="shadow"
                defaultValue={project?.shadow_policy_id ?? ''}
                options={[['', 'none'], ...names]}
                hint="Judges the same requests and changes nothing; the log shows what it would have done."
              />
              <Select
                label="What the log keeps of texts"
                name="content"
                defaultValue={project?.log_content ?? 'masked'}
                options={[
                  ['masked', 'masked: personal data replaced'],
                  ['sealed', 'sealed: masked, and the original to be revealed for a reason'],
                  ['full', 'full: as they came'],
                  ['none', 'none'],
                ]}
              />
              <Select
                label="While the database does not answer"
                name="failure"
                defaultValue={project?.on_store_failure ?? 'refuse'}
                options={ON_STORE_FAILURE}
                hint={ON_STORE_FAILURE_HINT}
              />
              {run.error && <ErrorNote error={run.error} />}
            </form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
