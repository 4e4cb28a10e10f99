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
                {
                  head: common.name,
                  value: ({ name }) => name,
                  cell: ({ name }) => <span className="font-medium">{name}</span>,
                },
                {
                  head: messages.startsWith,
                  value: ({ key_prefix }) => key_prefix,
                  cell: ({ key_prefix }) => <code className="font-mono text-xs">{key_prefix}…</code>,
                },
                {
                  head: common.status,
                  value: (key) => messages.states[stateOf(key)],
                  cell: (key) => <State of={key} />,
                },
                { head: messages.scope, cell: (key) => <Scope of={key} /> },
                {
                  head: messages.uses,
                  value: ({ usage_count }) => usage_count,
                  cell: ({ usage_count }) => count(usage_count),
                  number: true,
                },
                {
                  head: messages.lastUsed,
                  value: ({ last_used_at }) => (last_used_at ? new Date(last_used_at) : null),
                  cell: ({ last_used_at }) => (last_used_at ? <Ago at={last_used_at} /> : common.never),
                },
                { head: messages.created, value: ({ created_at }) => new Date(created_at) },
                {
                  head: messages.expires,
                  value: ({ expires_at }) => (expires_at ? new Date(expires_at) : null),
                  cell: ({ expires_at }) => (expires_at ? day(expires_at) : common.never),
                },
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

const STATES = { active: 'allow', expired: 'challenge', revoked: 'block' } as const;

function stateOf({ is_active, expires_at }: Key): keyof typeof STATES {
  if (!is_active) return 'revoked';
  return expires_at && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

function State({ of }: { of: Key }) {
  const state = stateOf(of);
  return <Pill tone={STATES[state]}>{messages.states[state]}</Pill>;
}
