import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { connectors as allConnectors, guardrails as allGuardrails, projects as allProjects } from '@/api/data';
import { queries } from '@/api/queries';
import { messages } from '@/messages/alerts';
import { common } from '@/messages/common';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select, TextArea, Toggle } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Amount, ConditionFields } from './ConditionFields';
import { type Condition, type ConditionType, hasProject, initial, sentence, TYPES } from './condition';

type Alert = Schema<'AlertRecord'>;
type Props = { alert: Alert | null; onClose: () => void };

/** Creates or edits an alert. */
export function AlertDialog({ alert, onClose }: Props) {
  const connectors = useQuery(allConnectors);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (body: Schema<'NewAlert'>) =>
      alert === null
        ? answer(api.POST('/api/alerts', { body }))
        : answer(api.PUT('/api/alerts/{alert_id}', { params: { path: { alert_id: alert.alert_id } }, body })),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  return (
    <Dialog
      title={alert === null ? messages.newTitle : common.editNamed(alert.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="alert" busy={run.isPending}>
            {alert === null ? common.create : common.save}
          </Button>
        </>
      }
    >
      <Loaded query={connectors}>
        {(known) => (
          <>
            <Form alert={alert} connectors={known} onSubmit={(body) => run.mutate(body)} />
            {run.error && <ErrorNote error={run.error} />}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

type FormProps = {
  alert: Alert | null;
  connectors: Schema<'ListedConnector'>[];
  onSubmit: (body: Schema<'NewAlert'>) => void;
};

function Form({ alert, connectors, onSubmit }: FormProps) {
  const names = (useQuery(allGuardrails).data?.guardrails ?? []).map(({ guardrail }) => guardrail);
  const projects = useQuery(allProjects).data ?? [];
  const [condition, setCondition] = useState<Condition>(alert?.condition ?? initial('block_rate', ''));
  const [channels, setChannels] = useState(alert?.channels ?? []);
  const [cooldown, setCooldown] = useState(alert?.cooldown_minutes ?? 60);
  const [isEnabled, setEnabled] = useState(alert?.enabled ?? true);
  const usable = connectors.filter(({ connector_type }) => ['slack', 'smtp'].includes(connector_type));
  const sendsMail = usable.some(({ id, connector_type }) => connector_type === 'smtp' && channels.includes(id));
  const nameOf = (id: string) => connectors.find((connector) => connector.id === id)?.name ?? id;
  const submit = (form: FormData) => {
    const recipients = String(form.get('recipients') ?? '').split(/[\s,;]+/);
    onSubmit({
      name: String(form.get('name')),
      condition,
      projectId: hasProject(condition.type) ? String(form.get('project')) || null : null,
      channels,
      recipients: recipients.filter((address) => address !== ''),
      cooldown_minutes: cooldown,
      enabled: isEnabled,
    });
  };
  return (
    <form
      id="alert"
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Input label={common.name} name="name" required maxLength={100} defaultValue={alert?.name} />
      <Select
        label={messages.condition}
        value={condition.type}
        options={TYPES.map((type) => [type, messages.conditions[type]] as const)}
        onChange={(event) => setCondition(initial(event.target.value as ConditionType, names[0] ?? ''))}
      />
      <ConditionFields
        key={condition.type}
        condition={condition}
        guardrails={names}
        connectors={connectors}
        onChange={setCondition}
      />
      {hasProject(condition.type) && (
        <Select
          label={common.project}
          name="project"
          defaultValue={alert?.projectId ?? ''}
          options={[
            ['', common.allProjects],
            ...projects.map(({ projectId, projectName }) => [projectId, projectName] as const),
          ]}
        />
      )}
      <p className="text-body">{sentence(condition, nameOf)}</p>
      <Amount label={messages.cooldown} min={0} max={10_080} value={cooldown} onChange={setCooldown} />
      <Channels usable={usable} chosen={channels} onChange={setChannels} />
      {sendsMail && (
        <TextArea
          label={messages.recipients}
          name="recipients"
          required
          rows={3}
          defaultValue={alert?.recipients.join('\n')}
          hint={messages.recipientsHint}
        />
      )}
      <Toggle label={messages.enabled} checked={isEnabled} onChange={setEnabled} />
    </form>
  );
}

type ChannelsProps = {
  usable: Schema<'ListedConnector'>[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
};

/** The connectors that can send messages. */
function Channels({ usable, chosen, onChange }: ChannelsProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-quiet">{messages.channels}</legend>
      {usable.length === 0 && <p className="text-xs text-quiet">{messages.noChannels}</p>}
      {usable.map(({ id, name }) => (
        <label key={id} className="flex min-h-7 items-center gap-2 text-body">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
