import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { keys, projects } from '@/api/data';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { count, day } from '@/lib/format';
import { messages } from '@/messages/api-keys';
import { common } from '@/messages/common';
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

/** Lists, creates and revokes API keys. */
export function ApiKeys() {
  const may = usePermission();
  const query = useQuery(keys);
  const [isNew, setNew] = useState(false);
  const [revoked, setRevoked] = useState<Key | null>(null);
  const add = may('API_KEYS:CREATE_API_KEY') && (
    <Button kind="primary" onClick={() => setNew(true)}>
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
              id={({ key_id }) => key_id}
              empty={
                <Empty title={messages.emptyTitle} action={add}>
                  {messages.emptyBody}
                </Empty>
              }
              columns={[
                { head: common.name, cell: ({ name }) => <span className="font-medium">{name}</span> },
                {
                  head: messages.startsWith,
                  cell: ({ key_prefix }) => <code className="font-mono text-xs">{key_prefix}…</code>,
                },
                { head: common.status, cell: (key) => <State of={key} /> },
                { head: messages.scope, cell: (key) => <Scope of={key} /> },
                { head: messages.uses, cell: ({ usage_count }) => count(usage_count), number: true },
                {
                  head: messages.lastUsed,
                  cell: ({ last_used_at }) => (last_used_at ? <Ago at={last_used_at} /> : common.never),
                },
                { head: messages.created, cell: ({ created_at }) => <Ago at={created_at} /> },
                { head: messages.expires, cell: ({ expires_at }) => (expires_at ? day(expires_at) : common.never) },
                {
                  head: common.actions,
                  cell: (key) =>
                    key.is_active &&
                    may('API_KEYS:REVOKE_API_KEY') && (
                      <Button small kind="danger" onClick={() => setRevoked(key)}>
                        {messages.revoke}
                        <span className="sr-only"> {key.name}</span>
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
          title={messages.revokeTitle}
          verb={messages.revoke}
          act={() => answer(api.DELETE('/api-keys/{key_id}', { params: { path: { key_id: revoked.key_id } } }))}
          onClose={() => setRevoked(null)}
          onDone={() => {
            setRevoked(null);
            void queries.invalidateQueries({ queryKey: ['keys'] });
          }}
        >
          <p>{fill(messages.revokeBody, { name: <strong>{revoked.name}</strong> })}</p>
        </Confirm>
      )}
    </Page>
  );
}

function Scope({ of: { projectId, permissions } }: { of: Key }) {
  const may = usePermission();
  const mine = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const name = mine.find((project) => project.projectId === projectId)?.projectName;
  return (
    <>
      {projectId ? (name ?? messages.otherProject) : messages.everyProject}
      {permissions && (
        <span className="block text-xs text-quiet" title={permissions.join(', ')}>
          {messages.permissionCount(permissions.length)}
        </span>
      )}
    </>
  );
}

function State({ of: { is_active, expires_at } }: { of: Key }) {
  if (!is_active) return <Pill tone="block">{messages.states.revoked}</Pill>;
  return expires_at && Date.parse(expires_at) <= Date.now() ? (
    <Pill tone="challenge">{messages.states.expired}</Pill>
  ) : (
    <Pill tone="allow">{messages.states.active}</Pill>
  );
}
