import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { connectors } from '@/api/data';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { common } from '@/messages/common';
import { messages } from '@/messages/subscriptions';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import type { Frame } from './Alerts';
import { SubscriptionDialog } from './SubscriptionDialog';

type Subscription = Schema<'SubscriptionRecord'>;

/** Lists, creates, pauses and deletes the webhooks that receive events. */
export function Subscriptions({ frame }: { frame: Frame }) {
  const may = usePermission();
  const query = useQuery({
    queryKey: ['subscriptions'],
    queryFn: async () => (await answer(api.GET('/api/events/subscriptions'))).subscriptions,
    refetchInterval: 15_000,
  });
  const known = useQuery(connectors).data ?? [];
  const nameOf = (id: string) => known.find((connector) => connector.id === id)?.name ?? id;
  const [isOpen, setOpen] = useState(false);
  const [deleted, setDeleted] = useState<Subscription | null>(null);
  const change = useMutation({
    mutationFn: ({ subscription_id, enabled }: Subscription) => {
      const params = { path: { subscription_id } };
      return answer(api.PUT('/api/events/subscriptions/{subscription_id}', { params, body: { enabled: !enabled } }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['subscriptions'] }),
  });
  const add = may('CONNECTORS:CREATE_CONNECTOR') && (
    <Button kind="primary" onClick={() => setOpen(true)}>
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
              id={({ subscription_id }) => subscription_id}
              empty={
                <Empty title={messages.emptyTitle} action={add}>
                  {messages.emptyBody}
                </Empty>
              }
              columns={[
                { head: messages.webhook, value: ({ connector_id }) => nameOf(connector_id) },
                {
                  head: messages.events,
                  value: ({ kinds }) =>
                    kinds?.map((kind) => messages.kinds[kind as keyof typeof messages.kinds] ?? kind).join(', ') ??
                    messages.allEvents,
                },
                {
                  head: common.status,
                  value: (subscription) => messages.states[stateOf(subscription)],
                  cell: (subscription) => <State of={subscription} />,
                },
                { head: messages.lag, value: ({ lag }) => lag, number: true },
                {
                  head: messages.lastDelivered,
                  value: ({ last_delivered_at: last }) => (last ? new Date(last) : common.never),
                },
                {
                  head: common.actions,
                  cell: (subscription) => (
                    <span className="flex flex-wrap gap-1.5">
                      {may('CONNECTORS:UPDATE_CONNECTOR') && (
                        <Button small busy={change.isPending} onClick={() => change.mutate(subscription)}>
                          {subscription.enabled ? messages.pause : messages.resume}
                          <span className="sr-only"> {nameOf(subscription.connector_id)}</span>
                        </Button>
                      )}
                      {may('CONNECTORS:DELETE_CONNECTOR') && (
                        <Button small kind="danger" onClick={() => setDeleted(subscription)}>
                          {common.delete}
                          <span className="sr-only"> {nameOf(subscription.connector_id)}</span>
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
      {isOpen && <SubscriptionDialog subscribed={query.data ?? []} onClose={() => setOpen(false)} />}
      {deleted && (
        <DeleteSubscription of={deleted} name={nameOf(deleted.connector_id)} onClose={() => setDeleted(null)} />
      )}
    </>,
  );
}

const stateOf = ({ enabled, failing_since }: Subscription): keyof typeof messages.states => {
  if (!enabled) return 'paused';
  return failing_since ? 'failing' : 'active';
};

function State({ of }: { of: Subscription }) {
  const tones = { active: 'allow', failing: 'block', paused: 'plain' } as const;
  const state = stateOf(of);
  return (
    <span className="flex max-w-64 flex-col items-start gap-0.5">
      <Pill tone={tones[state]}>{messages.states[state]}</Pill>
      {of.last_error && <span className="text-xs text-quiet">{of.last_error}</span>}
    </span>
  );
}

type DeleteProps = { of: Subscription; name: string; onClose: () => void };

function DeleteSubscription({ of: { subscription_id }, name, onClose }: DeleteProps) {
  return (
    <Confirm
      title={messages.deleteTitle}
      verb={common.delete}
      act={() =>
        answer(api.DELETE('/api/events/subscriptions/{subscription_id}', { params: { path: { subscription_id } } }))
      }
      onClose={onClose}
      onDone={() => {
        onClose();
        void queries.invalidateQueries({ queryKey: ['subscriptions'] });
      }}
    >
      <p>{fill(messages.deleteBody, { name: <strong>{name}</strong> })}</p>
    </Confirm>
  );
}
