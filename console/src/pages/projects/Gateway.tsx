import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/client';
import { connectors } from '@/api/data';
import { fieldError } from '@/api/error';
import { common } from '@/messages/common';
import { messages } from '@/messages/projects';
import { usePermission } from '@/session/me';
import { type EditableRow, EditableTable, editableRows } from '@/ui/EditableTable';
import { Input, Select } from '@/ui/Field';
import type { Column } from '@/ui/Table';

const text = messages.gateway;

type Settings = Schema<'GatewaySettings'>;
type Route = Settings['routes'][number];
type Options = (readonly [string, string])[];
type Props = { gateway: Settings | null; error: unknown; onChange: (gateway: Settings) => void };
type Row = EditableRow<Route> & { models: Options; errorOf: (field: keyof Route) => string | null };

/** The most routes of a project. */
const MOST = 100;
/** Connector types that serve models. */
const UPSTREAMS = ['openai', 'openai_compatible', 'azure_openai', 'anthropic'];
const ON_BLOCK = [
  ['refusal', text.refusal],
  ['error', text.error],
] as const;

/** Options with one for a connector that was deleted, or that the user may not see. */
const withOther = (models: Options, id: string | null | undefined): Options =>
  !id || models.some(([known]) => known === id) ? models : [...models, [id, text.otherConnector]];

const COLUMNS: Column<Row>[] = [
  {
    head: text.model,
    className: 'min-w-36',
    cell: ({ item: route, at, errorOf, set }) => (
      <Input
        hidden
        label={text.of(text.model, at + 1)}
        maxLength={200}
        spellCheck={false}
        className="font-mono text-xs"
        value={route.model}
        error={errorOf('model')}
        onChange={(event) => set({ model: event.target.value })}
      />
    ),
  },
  {
    head: text.connector,
    className: 'min-w-32',
    cell: ({ item: route, at, models, errorOf, set }) => (
      <Select
        hidden
        label={text.of(text.connector, at + 1)}
        value={route.connector_id}
        options={withOther(models, route.connector_id)}
        error={errorOf('connector_id')}
        onChange={(event) => set({ connector_id: event.target.value })}
      />
    ),
  },
  {
    head: text.upstreamModel,
    className: 'min-w-32',
    cell: ({ item: route, at, errorOf, set }) => (
      <Input
        hidden
        label={text.of(text.upstreamModel, at + 1)}
        maxLength={200}
        spellCheck={false}
        className="font-mono text-xs"
        placeholder={text.same}
        value={route.upstream_model ?? ''}
        error={errorOf('upstream_model')}
        onChange={(event) => set({ upstream_model: event.target.value || null })}
      />
    ),
  },
  {
    head: text.fallback,
    className: 'min-w-32',
    cell: ({ item: route, at, models, errorOf, set }) => (
      <Select
        hidden
        label={text.of(text.fallback, at + 1)}
        value={route.fallback_connector_id ?? ''}
        options={[['', common.none], ...withOther(models, route.fallback_connector_id)]}
        error={errorOf('fallback_connector_id')}
        onChange={(event) => set({ fallback_connector_id: event.target.value || null })}
      />
    ),
  },
];

/** The gateway of a project: a row for each route from models to a connector, and the answer to blocked calls. */
export function Gateway({ gateway, error, onChange }: Props) {
  const may = usePermission();
  const known = useQuery({ ...connectors, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data ?? [];
  const models = known
    .filter(({ connector_type }) => UPSTREAMS.includes(connector_type))
    .map(({ id, name }) => [id, name] as const);
  const { routes, on_block }: Settings = gateway ?? { routes: [], on_block: 'refusal' };
  const change = (routes: Route[]) => onChange({ routes, on_block });
  const rows = editableRows(routes, change).map((row) => ({
    ...row,
    models,
    errorOf: (field: keyof Route) => fieldError(error, `gateway.routes.${row.at}.${field}`),
  }));
  const [first] = models;
  const mayAdd = first !== undefined && routes.length < MOST;
  const add = () => first && change([...routes, { model: '*', connector_id: first[0] }]);
  return (
    <EditableTable text={text} columns={COLUMNS} rows={rows} mayAdd={mayAdd} onAdd={add}>
      <p className="text-xs text-quiet">{first === undefined ? text.noConnector : text.note}</p>
      {rows.length > 0 && (
        <Select
          label={text.onBlock}
          value={on_block}
          options={ON_BLOCK}
          onChange={(event) => onChange({ routes, on_block: event.target.value as Settings['on_block'] })}
        />
      )}
    </EditableTable>
  );
}
