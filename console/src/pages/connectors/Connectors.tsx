import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { connectors } from '@/api/data';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { remoteErrorKind } from '@/lib/remoteError';
import { common } from '@/messages/common';
import { messages } from '@/messages/connectors';
import { remoteErrors } from '@/messages/remote-errors';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';
import { ConnectorDialog } from './ConnectorDialog';
import { ConnectorStatus } from './ConnectorStatus';
import { ServerTools } from './ServerTools';
import { connectorTypes, TONES } from './types';

/** Returns a failed test in plain words. The list also shows the original error. */
function explained(error: string | null | undefined): string {
  const kind = remoteErrorKind(error ?? '');
  return kind === null ? (error ?? messages.testFailed) : remoteErrors[kind];
}

const route = getRouteApi('/app/connectors');

type Listed = Schema<'ListedConnector'>;

/** Lists, creates, tests and deletes connectors. */
export function Connectors() {
  const may = usePermission();
  const query = useQuery(connectors);
  const types = useQuery(connectorTypes).data ?? [];
  const { connector: linked } = route.useSearch();
  const navigate = route.useNavigate();
  const [picked, setOpen] = useState<Listed | 'new' | null>(null);
  // A link to a connector opens it.
  const found = may('CONNECTORS:UPDATE_CONNECTOR') ? query.data?.find(({ id }) => id === linked) : undefined;
  const open = picked ?? found ?? null;
  const close = () => {
    setOpen(null);
    if (linked !== undefined) void navigate({ search: {}, replace: true });
  };
  const [deleted, setDeleted] = useState<Listed | null>(null);
  const [tools, setTools] = useState<Listed | null>(null);
  const labelOf = (id: string) => types.find(({ connector_type }) => connector_type === id)?.label ?? id;
  const fresh = () => queries.invalidateQueries({ queryKey: ['connectors'] });
  const test = useMutation({
    mutationFn: (id: string) => answer(api.POST('/api/connectors/{id}/test', { params: { path: { id } } })),
    onSuccess: ({ ok, error, latency_ms }) => {
      toast(ok ? messages.connected(latency_ms) : explained(error), !ok);
      return fresh();
    },
  });
  const add = may('CONNECTORS:CREATE_CONNECTOR') && (
    <Button kind="primary" onClick={() => setOpen('new')}>
      <Plus aria-hidden size={14} />
      {messages.create}
    </Button>
  );
  return (
    <Page title={messages.title} intro={messages.intro} actions={add}>
      <Card>
        <Loaded query={query}>
          {(rows) => (
            <Table
              name={messages.title}
              rows={rows}
              id={({ id }) => id}
              empty={
                <Empty title={messages.emptyTitle} action={add}>
                  {messages.emptyBody}
                </Empty>
              }
              columns={[
                {
                  head: common.name,
                  value: ({ name }) => name,
                  cell: ({ name }) => <span className="font-medium">{name}</span>,
                },
                { head: messages.type, value: ({ connector_type }) => labelOf(connector_type) },
                {
                  head: common.status,
                  value: ({ status }) => messages.states[status] ?? status,
                  cell: ({ id, status }) => (
                    <span className="flex flex-col items-start gap-0.5">
                      <Pill tone={TONES[status] ?? 'plain'}>{messages.states[status] ?? status}</Pill>
                      {status === 'error' && <ConnectorStatus id={id} />}
                    </span>
                  ),
                },
                {
                  head: common.actions,
                  cell: (connector) => (
                    <span className="flex flex-wrap gap-1.5">
                      {connector.connector_type === 'mcp_server' && (
                        <Button small onClick={() => setTools(connector)}>
                          {messages.tools.button}
                          <span className="sr-only"> {connector.name}</span>
                        </Button>
                      )}
                      {may('CONNECTORS:UPDATE_CONNECTOR') && (
                        <>
                          <Button
                            small
                            busy={test.isPending && test.variables === connector.id}
                            onClick={() => test.mutate(connector.id)}
                          >
                            {common.test}
                            <span className="sr-only"> {connector.name}</span>
                          </Button>
                          <Button small onClick={() => setOpen(connector)}>
                            {common.edit}
                            <span className="sr-only"> {connector.name}</span>
                          </Button>
                        </>
                      )}
                      {may('CONNECTORS:DELETE_CONNECTOR') && (
                        <Button small kind="danger" onClick={() => setDeleted(connector)}>
                          {common.delete}
                          <span className="sr-only"> {connector.name}</span>
                        </Button>
                      )}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      {open !== null && <ConnectorDialog connector={open === 'new' ? null : open} onClose={close} onDone={fresh} />}
      {tools && <ServerTools connector={tools} onClose={() => setTools(null)} />}
      {deleted && <DeleteConnector connector={deleted} onClose={() => setDeleted(null)} onDone={fresh} />}
    </Page>
  );
}

type DeleteProps = { connector: Listed; onClose: () => void; onDone: () => Promise<void> };

function DeleteConnector({ connector: { id, name }, onClose, onDone }: DeleteProps) {
  return (
    <Confirm
      title={messages.deleteTitle}
      verb={common.delete}
      act={() => answer(api.DELETE('/api/connectors/{id}', { params: { path: { id } } }))}
      onClose={onClose}
      onDone={() => {
        onClose();
        void onDone();
      }}
    >
      <p>{fill(messages.deleteBody, { name: <strong>{name}</strong> })}</p>
    </Confirm>
  );
}
