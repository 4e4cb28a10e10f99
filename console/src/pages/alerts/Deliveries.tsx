import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { messages } from '@/messages/alerts';
import { common } from '@/messages/common';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Pill, type Tone } from '@/ui/Pill';
import { RemoteError } from '@/ui/RemoteError';
import { Table } from '@/ui/Table';

const TONES: Record<string, Tone> = { queued: 'challenge', sent: 'allow', dead: 'block' };

type Props = { alert: Schema<'AlertRecord'>; connectorName: (id: string) => string; onClose: () => void };

/** Lists the messages of an alert with their delivery. */
export function Deliveries({ alert: { alert_id, name }, connectorName, onClose }: Props) {
  const may = usePermission();
  const query = useInfiniteQuery({
    queryKey: ['alerts', alert_id, 'deliveries'],
    queryFn: ({ pageParam }) => {
      const params = { path: { alert_id }, query: { cursor: pageParam } };
      return answer(api.GET('/api/alerts/{alert_id}/deliveries', { params }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    refetchInterval: 5_000,
  });
  const retry = useMutation({
    mutationFn: (delivery_id: string) =>
      answer(api.POST('/api/alerts/deliveries/{delivery_id}/retry', { params: { path: { delivery_id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['alerts', alert_id] }),
  });
  return (
    <Dialog wide title={messages.deliveriesOf(name)} onClose={onClose}>
      <Loaded query={query}>
        {({ pages }) => (
          <Table
            name={messages.deliveriesOf(name)}
            rows={pages.flatMap(({ deliveries }) => deliveries)}
            id={({ delivery_id }) => delivery_id}
            more={query.hasNextPage}
            empty={<Empty title={messages.noDeliveries}>{messages.noDeliveriesBody}</Empty>}
            columns={[
              { head: messages.time, value: ({ created_at }) => new Date(created_at) },
              {
                head: messages.message,
                value: ({ kind, content }) => `${messages.kinds[kind] ?? kind}: ${content}`,
                cell: ({ kind, content }) => (
                  <span className="block max-w-md">
                    <span className="font-medium">{messages.kinds[kind] ?? kind}</span>
                    <span className="block text-xs text-quiet">{content.split('\n')[0]}</span>
                  </span>
                ),
              },
              { head: messages.channel, value: ({ connector_id }) => connectorName(connector_id) },
              {
                head: common.status,
                value: ({ status }) => messages.deliveryStates[status] ?? status,
                cell: ({ status, last_error }) => (
                  <span className="flex max-w-64 flex-col items-start gap-0.5">
                    <Pill tone={TONES[status] ?? 'plain'}>{messages.deliveryStates[status] ?? status}</Pill>
                    {last_error && <RemoteError raw={last_error} />}
                  </span>
                ),
              },
              { head: messages.attempts, value: ({ attempts }) => attempts, number: true },
              {
                head: common.actions,
                cell: ({ delivery_id, status }) =>
                  status === 'dead' &&
                  may('CONNECTORS:UPDATE_CONNECTOR') && (
                    <Button
                      small
                      busy={retry.isPending && retry.variables === delivery_id}
                      onClick={() => retry.mutate(delivery_id)}
                    >
                      {messages.retry}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
