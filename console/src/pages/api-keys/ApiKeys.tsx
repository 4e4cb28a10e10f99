import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { keys } from '@/api/data';
import { queries } from '@/api/queries';
import { count, day } from '@/lib/format';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { Ago } from '@/ui/Time';
import { NewApiKey } from './NewApiKey';

type Key = Schema<'KeyRecord'>;

/** What applications show with their requests. */
export function ApiKeys() {
  const may = usePermission();
  const query = useQuery(keys);
  const [isNew, setNew] = useState(false);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const add = may('API_KEYS:CREATE_API_KEY') && (
    <Button kind="primary" onClick={() => setNew(true)}>
      <Plus aria-hidden size={14} />
      New API key
    </Button>
  );
  return (
    <Page
      title="API keys"
      intro="An application shows its key in the header X-API-Key, and acts as whoever made it, in this organisation."
      actions={add}
    >
      <Card>
        <Loaded query={query}>
          {(rows) => (
            <Table
              name="API keys"
              rows={rows}
              id={({ key_id }) => key_id}
              empty={
                <Empty title="No API key yet" action={add}>
                  Make one for each application, so that one can be revoked without the others.
                </Empty>
              }
              columns={[
                { head: 'Name', cell: ({ name }) => <span className="font-medium">{name}</span> },
                {
                  head: 'Begins with',
                  cell: ({ key_prefix }) => <code className="font-mono text-xs">{key_prefix}…</code>,
                },
                { head: 'State', cell: (key) => <State of={key} /> },
                { head: 'Used', cell: ({ usage_count }) => count(usage_count), number: true },
                { head: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Ago at={last_used_at} /> : 'never') },
                { head: 'Made', cell: ({ created_at }) => <Ago at={created_at} /> },
                { head: 'Expires', cell: ({ expires_at }) => (expires_at ? day(expires_at) : 'never') },
                {
                  head: 'Actions',
                  cell: (key) =>
                    key.is_active &&
                    may('API_KEYS:REVOKE_API_KEY') && (
                      <Button small kind="danger" onClick={() => setRevoked(key)}>
                        Revoke<span className="sr-only"> {key.name}</span>
                      </Button>
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      {isNew && <NewApiKey onClose={() => setNew(false)} />}
      {revoked && (
        <Confirm
          title="Revoke the API key?"
          verb="Revoke"
          act={() => answer(api.DELETE('/api-keys/{key_id}', { params: { path: { key_id: revoked.key_id } } }))}
          onClose={() => setRevoked(null)}
          onDone={() => {
            setRevoked(null);
            void queries.invalidateQueries({ queryKey: ['keys'] });
          }}
        >
          <p>
            Whatever uses <strong>{revoked.name}</strong> is refused at once. A revoked key does not come back.
          </p>
        </Confirm>
      )}
    </Page>
  );
}

function State({ of: { is_active, expires_at } }: { of: Key }) {
  if (!is_active) return <Pill tone="block">revoked</Pill>;
  return expires_at && Date.parse(expires_at) <= Date.now() ? (
    <Pill tone="challenge">expired</Pill>
  ) : (
    <Pill tone="allow">active</Pill>
  );
}
