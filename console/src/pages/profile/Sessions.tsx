import { useMutation, useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { common } from '@/messages/common';
import { messages } from '@/messages/profile';
import { me } from '@/session/me';
import { Button } from '@/ui/Button';
import { Loaded } from '@/ui/Loaded';
import { Card } from '@/ui/Page';
import { Pill } from '@/ui/Pill';
import { Table } from '@/ui/Table';
import { toast } from '@/ui/toasts';

const KEY = ['sessions'];

/** Lists the user's open sessions and ends them. */
export function Sessions() {
  const query = useQuery({ queryKey: KEY, queryFn: () => answer(api.GET('/api/users/me/sessions')) });
  const known = useQuery(me).data?.organizations ?? [];
  const nameOf = (id: string) => known.find(({ org_id }) => org_id === id)?.name;
  // Without an identifier, all but this one.
  const end = useMutation({
    mutationFn: (session_id: string | null): Promise<unknown> =>
      session_id === null
        ? answer(api.DELETE('/api/users/me/sessions'))
        : answer(api.DELETE('/api/users/me/sessions/{session_id}', { params: { path: { session_id } } })),
    onSuccess: () => {
      toast(messages.sessionsEnded);
      return queries.invalidateQueries({ queryKey: KEY });
    },
  });
  return (
    <Card
      title={messages.sessions}
      className="lg:col-span-2"
      actions={
        (query.data?.sessions.length ?? 0) > 1 && (
          <Button small kind="danger" busy={end.isPending && end.variables === null} onClick={() => end.mutate(null)}>
            {messages.endOthers}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ sessions }) => (
          <Table
            name={messages.sessions}
            rows={sessions}
            id={({ session_id }) => session_id}
            columns={[
              {
                head: messages.signedIn,
                value: ({ created_at }) => new Date(created_at),
              },
              { head: messages.lastActive, value: ({ last_active_at }) => new Date(last_active_at) },
              { head: messages.organizationOf, value: ({ org_id }) => nameOf(org_id) },
              {
                head: common.actions,
                cell: ({ session_id, current }) =>
                  current ? (
                    <Pill tone="accent">{messages.thisSession}</Pill>
                  ) : (
                    <Button
                      small
                      busy={end.isPending && end.variables === session_id}
                      onClick={() => end.mutate(session_id)}
                    >
                      {messages.endSession}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
