import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { connectors } from '@/api/data';
import { queries } from '@/api/queries';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill, type Tone } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';
import { ConnectorDialog } from './ConnectorDialog';
import { ConnectorStatus } from './ConnectorStatus';
import { connectorTypes } from './types';

type Listed = Schema<'ListedConnector'>;
const TONES: Record<string, Tone> = { active: 'allow', error: 'block', disabled: 'plain' };

/** The systems outside that the service may ask or tell. */
export function Connectors() {
  const may = usePermission();
  const query = useQuery(connectors);
  const types = useQuery(connectorTypes).data ?? [];
  const [open, setOpen] = useState<Listed | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Listed | null>(null);
  const fresh = () => queries.invalidateQueries({ queryKey: ['connectors'] });
  const test = useMutation({
    mutationFn: (id: string) => answer(api.POST('/api/connectors/{id}/test', { params: { path: { id } } })),
    onSuccess: ({ ok, error, latency_ms }) => {
      toast(ok ? `It answers, after ${latency_ms} ms.` : (error ?? 'It does not answer.'), !ok);
      return fresh();
    },
  });
  const add = may('CONNECTORS:CREATE_CONNECTOR') && (
    <Button kind="primary" onClick={() => setOpen('new')}>
      <Plus aria-hidden size={14} />
      New connector
    </Button>
  );
  return (
    <Page
      title="Connectors"
      intro="Cloud accounts, language models, ticket systems and source hosting. Their secrets are encrypted, and never shown again."
      actions={add}
    >
      <Card>
        <Loaded query={query}>
          {(rows) => (
            <Table
              name="Connectors"
              rows={rows}
              id={({ id }) => id}
              empty={
                <Empty title="No connector yet" action={add}>
                  Nothing leaves this machine until you add one: a language model for second opinions, or a ticket
                  system for what must be followed up.
                </Empty>
              }
              columns={[
                { head: 'Name', cell: ({ name }) => <span className="font-medium">{name}</span> },
                {
                  head: 'Type',
                  cell: ({ connector_type }) =>
                    types.find((type) => type.connector_type === connector_type)?.label ?? connector_type,
                },
                {
                  head: 'Status',
                  cell: ({ id, status }) => (
                    <span className="flex flex-col items-start gap-0.5">
                      <Pill tone={TONES[status] ?? 'plain'}>{status}</Pill>
                      {status === 'error' && <ConnectorStatus id={id} />}
                    </span>
                  ),
                },
                {
                  head: 'Actions',
                  cell: (connector) => (
                    <span className="flex gap-1.5">
                      {may('CONNECTORS:UPDATE_CONNECTOR') && (
                        <>
                          <Button
                            small
                            busy={test.isPending && test.variables === connector.id}
                            onClick={() => test.mutate(connector.id)}
                          >
                            Test<span className="sr-only"> {connector.name}</span>
                          </Button>
                          <Button small onClick={() => setOpen(connector)}>
                            Change<span className="sr-only"> {connector.name}</span>
                          </Button>
                        </>
                      )}
                      {may('CONNECTORS:DELETE_CONNECTOR') && (
                        <Button small kind="danger" onClick={() => setDeleted(connector)}>
                          Delete<span className="sr-only"> {connector.name}</span>
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
      {open !== null && (
        <ConnectorDialog connector={open === 'new' ? null : open} onClose={() => setOpen(null)} onDone={fresh} />
      )}
      {deleted && (
        <Confirm
          title="Delete the connector?"
          verb="Delete"
          act={() => answer(api.DELETE('/api/connectors/{id}', { params: { path: { id: deleted.id } } }))}
          onClose={() => setDeleted(null)}
          onDone={() => {
            setDeleted(null);
            void fresh();
          }}
        >
          <p>
            <strong>{deleted.name}</strong> and its secrets go for good. Policies must not name it any more.
          </p>
        </Confirm>
      )}
    </Page>
  );
}
