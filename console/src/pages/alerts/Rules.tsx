import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { alerts, connectors } from '@/api/data';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/alerts';
import { common } from '@/messages/common';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Pill, type Tone } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';
import { AlertDialog } from './AlertDialog';
import type { Frame } from './Alerts';
import { sentence } from './condition';
import { Deliveries } from './Deliveries';

type Alert = Schema<'AlertRecord'>;

const TONES: Record<string, Tone> = { ok: 'allow', firing: 'block', disabled: 'plain' };

/** Lists, creates, tests and deletes alerts. */
export function Rules({ frame }: { frame: Frame }) {
  const may = usePermission();
  const query = useQuery({ ...alerts, refetchInterval: 15_000 });
  const known = useQuery(connectors).data ?? [];
  const nameOf = (id: string) => known.find((connector) => connector.id === id)?.name ?? id;
  const [open, setOpen] = useState<Alert | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Alert | null>(null);
  const [deliveries, setDeliveries] = useState<Alert | null>(null);
  const test = useMutation({
    mutationFn: (alert_id: string) =>
      answer(api.POST('/api/alerts/{alert_id}/test', { params: { path: { alert_id } } })),
    onSuccess: ({ summary, results }) => {
      const failed = results.filter(({ ok }) => !ok);
      const errors = failed.map(({ connector_id, error }) => `${nameOf(connector_id)}: ${error}`).join('; ');
      if (failed.length > 0) toast(messages.testFailed(errors), true);
      else toast(results.length === 0 ? messages.testedNone(summary) : messages.tested(results.length));
    },
  });
  const add = may('CONNECTORS:CREATE_CONNECTOR') && (
    <Button kind="primary" onClick={() => setOpen('new')}>
      <Plus aria-hidden size={14} />
      {messages.create}
    </Button>
  );
  return frame(
    messages.intro,
    add,
    <>
      <Card>
        <Loaded query={query}>
          {(rows) => (
            <Table
              name={messages.title}
              rows={rows}
              id={({ alert_id }) => alert_id}
              empty={
                <Empty title={messages.emptyTitle} action={add}>
                  {messages.emptyBody}
                </Empty>
              }
              columns={[
                {
                  head: common.name,
                  value: ({ name }) => name,
                  cell: ({ name, condition }) => (
                    <span className="block max-w-lg">
                      <span className="font-medium">{name}</span>
                      <span className="block text-xs text-quiet">{sentence(condition, nameOf)}</span>
                    </span>
                  ),
                },
                {
                  head: common.status,
                  value: (alert) => messages.states[stateOf(alert)] ?? alert.state,
                  cell: (alert) => (
                    <span className="flex max-w-80 flex-col items-start gap-0.5">
                      <Pill tone={TONES[stateOf(alert)] ?? 'plain'}>{messages.states[stateOf(alert)]}</Pill>
                      {alert.summary && <span className="text-xs text-quiet">{alert.summary}</span>}
                      {alert.channels.length === 0 && <span className="text-xs text-block">{messages.noChannel}</span>}
                    </span>
                  ),
                },
                {
                  head: messages.lastFired,
                  value: ({ last_fired_at }) => (last_fired_at ? new Date(last_fired_at) : common.never),
                },
                {
                  head: common.actions,
                  cell: (alert) => (
                    <span className="flex flex-wrap gap-1.5">
                      <Button small onClick={() => setDeliveries(alert)}>
                        {messages.deliveries}
                        <span className="sr-only"> {alert.name}</span>
                      </Button>
                      {may('CONNECTORS:UPDATE_CONNECTOR') && (
                        <>
                          <Button
                            small
                            busy={test.isPending && test.variables === alert.alert_id}
                            onClick={() => test.mutate(alert.alert_id)}
                          >
                            {common.test}
                            <span className="sr-only"> {alert.name}</span>
                          </Button>
                          <Button small onClick={() => setOpen(alert)}>
                            {common.edit}
                            <span className="sr-only"> {alert.name}</span>
                          </Button>
                        </>
                      )}
                      {may('CONNECTORS:DELETE_CONNECTOR') && (
                        <Button small kind="danger" onClick={() => setDeleted(alert)}>
                          {common.delete}
                          <span className="sr-only"> {alert.name}</span>
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
      {open !== null && <AlertDialog alert={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
      {deliveries && <Deliveries alert={deliveries} connectorName={nameOf} onClose={() => setDeliveries(null)} />}
      {deleted && <DeleteAlert alert={deleted} onClose={() => setDeleted(null)} />}
    </>,
  );
}

const stateOf = ({ enabled, state }: Alert): string => (enabled ? state : 'disabled');

function DeleteAlert({ alert: { alert_id, name }, onClose }: { alert: Alert; onClose: () => void }) {
  return (
    <Confirm
      title={messages.deleteTitle}
      verb={common.delete}
      act={() => answer(api.DELETE('/api/alerts/{alert_id}', { params: { path: { alert_id } } }))}
      onClose={onClose}
      onDone={() => {
        onClose();
        void queries.invalidateQueries({ queryKey: ['alerts'] });
      }}
    >
      <p>{fill(messages.deleteBody, { name: <strong>{name}</strong> })}</p>
    </Confirm>
  );
}
