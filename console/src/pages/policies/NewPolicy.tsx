import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { connectors, defaultPolicy, templates } from '@/api/data';
import { common } from '@/messages/common';
import { messages } from '@/messages/policies';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select, TextArea } from '@/ui/Field';

const AI = ['openai', 'anthropic', 'azure_openai', 'gemini', 'openai_compatible'];

/** Creates a policy from the default policy, a template, or a description for a language model. */
export function NewPolicy({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { options, known } = useStarts();
  const base = useQuery(defaultPolicy).data;
  const [name, setName] = useState('');
  const [start, setStart] = useState('default');
  const [purpose, setPurpose] = useState('');
  const template = known.find(({ template_id }) => template_id === start);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      const policy = start === 'ai' ? await drafted(purpose) : (template?.policy ?? base);
      return answer(
        api.POST('/api/policy/create', { body: { ...policy, policyName: name.trim() || (policy?.policyName ?? '') } }),
      );
    },
    onSuccess: async ({ policyId }) => {
      await client.invalidateQueries({ queryKey: ['policies'] });
      await navigate({ to: '/policies/$policyId', params: { policyId } });
    },
  });
  return (
    <Dialog
      title={messages.new.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="new-policy" busy={run.isPending}>
            {common.create}
          </Button>
        </>
      }
    >
      <form
        id="new-policy"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <Select
          label={messages.new.startFrom}
          value={start}
          options={options}
          hint={template?.description}
          onChange={(event) => setStart(event.target.value)}
        />
        {start === 'ai' && (
          <TextArea
            label={messages.new.purpose}
            rows={4}
            required
            value={purpose}
            onChange={(event) => setPurpose(event.target.value)}
            placeholder={messages.new.purposePlaceholder}
          />
        )}
        <Input
          label={common.name}
          required={template === undefined && start !== 'ai'}
          maxLength={100}
          value={name}
          placeholder={template?.policy.policyName ?? messages.new.namePlaceholder}
          hint={common.characters(name.length, 100)}
          onChange={(event) => setName(event.target.value)}
        />
        {run.error && <ErrorNote error={run.error} />}
      </form>
    </Dialog>
  );
}

/** Drafts a policy with a language model. */
const drafted = async (description: string) =>
  (await answer(api.POST('/api/policy/generate', { body: { description } }))).policy;

/** The options to start from: the default policy, the templates, and a description if there is a language model. */
function useStarts() {
  const may = usePermission();
  const known = useQuery(templates).data ?? [];
  const hasModel =
    useQuery({ ...connectors, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data?.some(
      ({ connector_type, enabled }) => enabled && AI.includes(connector_type),
    ) ?? false;
  const options: [string, string][] = [
    ['default', messages.new.fromDefault],
    ...known.map(({ template_id, policy }): [string, string] => [template_id, policy.policyName]),
    ...(hasModel ? [['ai', messages.new.fromDescription] as [string, string]] : []),
  ];
  return { options, known };
}
