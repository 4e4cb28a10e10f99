import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { common } from '@/messages/common';
import { messages as invitations } from '@/messages/invitations';
import { messages } from '@/messages/users';
import { me, usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { Invitations } from './Invitations';
import { InviteDialog } from './InviteDialog';
import { UserDialog } from './UserDialog';

type User = Schema<'UserRecord'>;

const route = getRouteApi('/app/users');

const useUsers = () =>
  useInfiniteQuery({
    queryKey: ['users'],
    queryFn: ({ pageParam }) => answer(api.GET('/api/users', { params: { query: { limit: 100, cursor: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

/** Lists, creates and removes the users of the organization. */
export function Users() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = usePermission();
  const self = useQuery(me).data;
  const [open, setOpen] = useState<User | 'new' | null>(null);
  const [removed, setRemoved] = useState<User | null>(null);
  const [isInviting, setInviting] = useState(false);
  const query = useUsers();
  const fresh = () => queries.invalidateQueries({ queryKey: ['users'] });
  return (
    <Page
      title={messages.title}
      intro={messages.intro}
      actions={
        may('USERS:CREATE_USER') && (
          <>
            <Button onClick={() => setInviting(true)}>
              <Mail aria-hidden size={14} />
              {invitations.invite}
            </Button>
            <Button kind="primary" onClick={() => setOpen('new')}>
              <Plus aria-hidden size={14} />
              {messages.create}
            </Button>
          </>
        )
      }
    >
      <Card>
        <Loaded query={query}>
          {({ pages }) => (
            <Table
              name={messages.title}
              rows={pages.flatMap(({ users }) => users)}
              id={({ user_id }) => user_id}
              more={query.hasNextPage}
              columns={[
                {
                  head: common.username,
                  value: ({ username }) => username,
                  cell: ({ user_id, username }) => (
                    <span className="font-medium">
                      {username} {user_id === self?.user_id && <Pill tone="accent">{messages.you}</Pill>}
                    </span>
                  ),
                },
                { head: common.role, value: ({ role }) => role },
                { head: messages.memberSince, value: ({ created_at }) => new Date(created_at) },
                {
                  head: messages.lastActive,
                  value: ({ last_active_at }) => (last_active_at ? new Date(last_active_at) : null),
                },
                {
                  head: common.actions,
                  cell: (user) =>
                    user.user_id !== self?.user_id && (
                      <span className="flex gap-1.5">
                        {may('USERS:UPDATE_USER') && (
                          <Button small onClick={() => setOpen(user)}>
                            {common.edit}
                            <span className="sr-only"> {user.username}</span>
                          </Button>
                        )}
                        {may('USERS:DELETE_USER') && (
                          <Button small kind="danger" onClick={() => setRemoved(user)}>
                            {common.remove}
                            <span className="sr-only"> {user.username}</span>
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
            {messages.more}
          </Button>
        )}
      </Card>
      <Invitations />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {search.user !== undefined && search.user !== self?.user_id && may('USERS:UPDATE_USER') && (
        <LinkedUser id={search.user} onClose={() => void navigate({ search: {} })} onDone={fresh} />
      )}
      {open !== null && <UserDialog user={open === 'new' ? null : open} onClose={() => setOpen(null)} onDone={fresh} />}
      {removed && (
        <Confirm
          title={messages.removeTitle}
          verb={common.remove}
          act={() => answer(api.DELETE('/api/users/{user_id}', { params: { path: { user_id: removed.user_id } } }))}
          onClose={() => setRemoved(null)}
          onDone={() => {
            setRemoved(null);
            void fresh();
          }}
        >
          <p>{fill(messages.removeBody, { name: <strong>{removed.username}</strong> })}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** The dialog of the user that an address names. */
function LinkedUser({ id, onClose, onDone }: { id: string; onClose: () => void; onDone: () => void }) {
  const { data } = useQuery({
    queryKey: ['users', 'linked', id],
    queryFn: () => answer(api.GET('/api/users/{user_id}', { params: { path: { user_id: id } } })),
  });
  return data && <UserDialog user={data} onClose={onClose} onDone={onDone} />;
}
