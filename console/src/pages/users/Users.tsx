import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { me, usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { Ago } from '@/ui/Time';
import { UserDialog } from './UserDialog';

type User = Schema<'UserRecord'>;

/** Who belongs to the organisation, and as what. */
export function Users() {
  const may = usePermission();
  const self = useQuery(me).data;
  const [open, setOpen] = useState<User | 'new' | null>(null);
  const [removed, setRemoved] = useState<User | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['users'],
    queryFn: ({ pageParam }) => answer(api.GET('/api/users', { params: { query: { limit: 100, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const fresh = () => queries.invalidateQueries({ queryKey: ['users'] });
  return (
    <Page
      title="Users"
      intro="Everybody has one role in an organisation; it says what they may do."
      actions={
        may('USERS:CREATE_USER') && (
          <Button kind="primary" onClick={() => setOpen('new')}>
            <Plus aria-hidden size={14} />
            New user
          </Button>
        )
      }
    >
      <Card>
        <Loaded query={query}>
          {({ pages }) => (
            <Table
              name="Users"
              rows={pages.flatMap(({ users }) => users)}
              id={({ user_id }) => user_id}
              columns={[
                {
                  head: 'Username',
                  cell: ({ user_id, username }) => (
                    <span className="font-medium">
                      {username} {user_id === self?.user_id && <Pill tone="accent">you</Pill>}
                    </span>
                  ),
                },
                { head: 'Role', cell: ({ role }) => role },
                { head: 'Since', cell: ({ created_at }) => <Ago at={created_at} /> },
                {
                  head: 'Actions',
                  cell: (user) =>
                    user.user_id !== self?.user_id && (
                      <span className="flex gap-1.5">
                        {may('USERS:UPDATE_USER') && (
                          <Button small onClick={() => setOpen(user)}>
                            Change<span className="sr-only"> {user.username}</span>
                          </Button>
                        )}
                        {may('USERS:DELETE_USER') && (
                          <Button small kind="danger" onClick={() => setRemoved(user)}>
                            Remove<span className="sr-only"> {user.username}</span>
                          </Button>
                        )}
                      </span>
                    ),
                },
              ]}
            />
          )}
        </Loaded>
        {query.hasNextPage && (
          <Button small className="mt-3" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            More
          </Button>
        )}
      </Card>
      {open !== null && <UserDialog user={open === 'new' ? null : open} onClose={() => setOpen(null)} onDone={fresh} />}
      {removed && (
        <Confirm
          title="Remove the user?"
          verb="Remove"
          act={() => answer(api.DELETE('/api/users/{user_id}', { params: { path: { user_id: removed.user_id } } }))}
          onClose={() => setRemoved(null)}
          onDone={() => {
            setRemoved(null);
            void fresh();
          }}
        >
          <p>
            <strong>{removed.username}</strong> leaves this organisation at once, and their API keys here stop.
          </p>
        </Confirm>
      )}
    </Page>
  );
}
