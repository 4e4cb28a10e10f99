import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema, send } from '@/api/client';
import { toApiError } from '@/api/error';
import { at } from '@/lib/base';
import { common } from '@/messages/common';
import { messages } from '@/messages/connectors';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select, Toggle } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { ConnectorField } from './ConnectorField';
import { connectorTypes, connector as stored } from './types';

type Props = { connector: Schema<'ListedConnector'> | null; onClose: () => void; onDone: () => void };
type Values = Record<string, string | boolean>;

/** Creates or edits a connector, with the fields that the service describes. */
export function ConnectorDialog({ connector, onClose, onDone }: Props) {
  const types = useQuery(connectorTypes);
  const old = useQuery({ ...stored(connector?.id ?? ''), enabled: connector !== null });
  const [type, setType] = useState(connector?.connector_type ?? '');
  const title = connector === null ? messages.newTitle : common.editNamed(connector.name);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (values: Values) =>
      connector === null
        ? create(type, values)
        : answer(api.PUT('/api/connectors/{id}', { params: { path: { id: connector.id } }, body: values })),
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="connector" disabled={type === ''} busy={run.isPending}>
            {connector === null ? common.create : common.save}
          </Button>
        </>
      }
    >
      <Loaded query={types}>
        {(known) => {
          const described = known.find(({ connector_type }) => connector_type === type);
          return (
            <div className="space-y-4">
              {connector === null && (
                <Select
                  label={messages.type}
                  value={type}
                  options={[
                    ['', messages.chooseType],
                    ...known.map(({ connector_type, label }) => [connector_type, label] as const),
                  ]}
                  onChange={(event) => setType(event.target.value)}
                />
              )}
              {described && (connector === null || old.data) && (
                <Form key={type} type={described} old={old.data ?? null} onSubmit={(values) => run.mutate(values)} />
              )}
              {run.error && <ErrorNote error={run.error} />}
            </div>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

function Form({
  type,
  old,
  onSubmit,
}: {
  type: Schema<'ConnectorType'>;
  old: Schema<'ConnectorRecord'> | null;
  onSubmit: (values: Values) => void;
}) {
  const [isEnabled, setEnabled] = useState(old?.enabled ?? true);
  const submit = (form: FormData) => {
    const values: Values = { name: String(form.get('name')), enabled: isEnabled };
    for (const { name, format } of type.fields) {
      const value = form.get(name);
      if (format === 'boolean') values[name] = value === 'on';
      // Empty fields stay unchanged: stored secrets are never shown, and need not be retyped.
      else if (typeof value === 'string' && value !== '') values[name] = value;
    }
    onSubmit(values);
  };
  return (
    <form
      id="connector"
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Input label={common.name} name="name" required maxLength={100} defaultValue={old?.name} />
      {type.fields.map((field) => (
        <ConnectorField key={field.name} field={field} old={old} />
      ))}
      <Toggle label={messages.enabled} checked={isEnabled} onChange={setEnabled} />
      <p className="text-xs text-quiet">{messages.healthCheck(type.check)}</p>
    </form>
  );
}

/**
 * Creates a connector. The path contains the type and the fields come from the service, so the typed client does not
 * fit.
 */
async function create(type: string, values: Values): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await send(
    new Request(at(`/api/connectors/${encodeURIComponent(type)}`), {
      method: 'POST',
      headers,
      body: JSON.stringify(values),
    }),
  );
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response, body);
  return body;
}
