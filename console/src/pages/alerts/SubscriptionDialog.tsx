import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { connectors } from '@/api/data';
import { queries } from '@/api/queries';
import { common } from '@/messages/common';
import { messages } from '@/messages/subscriptions';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Select } from '@/ui/Field';

type Kind = Schema<'EventKind'>;
type Props = { subscribed: Schema<'SubscriptionRecord'>[]; onClose: () => void };

const KINDS = Object.entries(messages.kinds) as [Kind, string][];

/** Subscribes a webhook to events. */
export function SubscriptionDialog({ subscribed, onClose }: Props) {
  const taken = new Set(subscribed.map(({ connector_id }) => connector_id));
  const free = (useQuery(connectors).data ?? []).filter(
    ({ id, connector_type }) => connector_type === 'webhook' && !taken.has(id),
  );
  const [kinds, setKinds] = useState<Kind[]>(['alert.fired', 'alert.resolved']);
  const [picked, setPicked] = useState<string>();
  const connector_id = picked ?? free[0]?.id;
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async () => {
      if (connector_id === undefined) return;
      await answer(api.POST('/api/events/subscriptions', { body: { connector_id, kinds } }));
    },
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['subscriptions'] });
    },
  });
  return (
    <Dialog
      title={messages.create}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            kind="primary"
            busy={run.isPending}
            disabled={connector_id === undefined || kinds.length === 0}
            onClick={() => run.mutate()}
          >
            {common.create}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        {free.length === 0 ? (
          <p className="text-body">{messages.noWebhook}</p>
        ) : (
          <Select
            label={messages.webhook}
            value={connector_id}
            options={free.map(({ id, name }) => [id, name] as const)}
            onChange={(event) => setPicked(event.target.value)}
          />
        )}
        <fieldset>
          <legend className="mb-1 text-xs font-medium text-quiet">{messages.events}</legend>
          {KINDS.map(([kind, label]) => (
            <label key={kind} className="flex min-h-7 items-center gap-2 text-body">
              <input
                type="checkbox"
                checked={kinds.includes(kind)}
                onChange={({ target }) =>
                  setKinds(target.checked ? [...kinds, kind] : kinds.filter((other) => other !== kind))
                }
              />
              {label}
            </label>
          ))}
        </fieldset>
        {run.error && <ErrorNote error={run.error} />}
      </div>
    </Dialog>
  );
}
