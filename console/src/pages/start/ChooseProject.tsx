import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { defaultPolicy, policies, templates } from '@/api/data';
import { queries } from '@/api/queries';
import { messages as text } from '@/messages/start';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';

type Props = { known: Schema<'ProjectRecord'>[]; onChoose: (project: string) => void };

/** Creates a project, with a policy if none is selected, or selects an existing project. */
export function ChooseProject({ known, onChoose }: Props) {
  const [start, setStart] = useState<string | null>(null);
  const stored = useQuery(policies).data ?? [];
  const offered = useQuery(templates).data ?? [];
  const base = useQuery(defaultPolicy).data;
  const from = start ?? stored[0]?.policyId ?? 'default';
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (name: string) => {
      const existing = stored.find(({ policyId }) => policyId === from);
      const template = offered.find(({ template_id }) => template_id === from);
      const body = { ...(template?.policy ?? base), policyName: template?.policy.policyName ?? name };
      const policyId = existing?.policyId ?? (await answer(api.POST('/api/policy/create', { body }))).policyId;
      return answer(api.POST('/api/project/create', { body: { projectName: name, policyId } }));
    },
    onSuccess: async ({ projectId }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      await queries.invalidateQueries({ queryKey: ['projects'] });
      onChoose(projectId);
    },
  });
  return (
    <div className="space-y-4">
      <p className="text-body text-quiet">{text.policyBody}</p>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate(String(new FormData(event.currentTarget).get('name')).trim());
        }}
      >
        <Input
          label={text.application}
          name="name"
          required
          maxLength={100}
          placeholder={text.applicationPlaceholder}
          boxClass="min-w-48 flex-1"
        />
        <Select
          label={text.startFrom}
          boxClass="min-w-48 flex-1"
          value={from}
          options={[
            ...stored.map(({ policyId, policyName }) => [policyId, text.existing(policyName)] as const),
            ['default', text.fromDefault],
            ...offered.map(({ template_id, policy }) => [template_id, policy.policyName ?? template_id] as const),
          ]}
          onChange={(event) => setStart(event.target.value)}
        />
        <Button kind="primary" type="submit" busy={run.isPending} disabled={base === undefined}>
          {text.create}
        </Button>
      </form>
      {run.error && <ErrorNote error={run.error} />}
      {known.length > 0 && (
        <Select
          label={text.useExisting}
          boxClass="max-w-sm"
          value=""
          options={[['', '–'], ...known.map(({ projectId, projectName }) => [projectId, projectName] as const)]}
          onChange={({ target: { value } }) => value !== '' && onChoose(value)}
        />
      )}
    </div>
  );
}
