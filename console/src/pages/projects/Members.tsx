import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '@/api/client';
import { queries } from '@/api/queries';
import { common } from '@/messages/common';
import { messages } from '@/messages/projects';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { Loaded } from '@/ui/Loaded';
import { Table } from '@/ui/Table';
import { toastUndo } from '@/ui/toasts';

/** Adds and removes the members of a project. Owners and admins belong to every project. */
export function Members({ projectId }: { projectId: string }) {
  const may = usePermission();
  const [name, setName] = useState('');
  const path = { projectId };
  const queryKey = ['projects', projectId, 'members'];
  const query = useQuery({
    queryKey,
    queryFn: () => answer(api.GET('/api/project/{projectId}/members', { params: { path, query: { limit: 500 } } })),
  });
  const fresh = () => queries.invalidateQueries({ queryKey });
  const add = useMutation({
    meta: { shown: true },
    mutationFn: (username: string) =>
      answer(api.POST('/api/project/{projectId}/members', { params: { path }, body: { username } })),
    onSuccess: () => {
      setName('');
      return fresh();
    },
  });
  const remove = useMutation({
    mutationFn: (username: string) =>
      answer(api.DELETE('/api/project/{projectId}/members/{username}', { params: { path: { ...path, username } } })),
    onSuccess: (_, username) => {
      toastUndo(messages.memberRemoved(username), () => add.mutate(username));
      return fresh();
    },
  });
  const mayManage = may('PROJECTS:MANAGE_MEMBERS');
  return (
    <div className="space-y-4">
      {mayManage && (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            add.mutate(name);
          }}
        >
          <Input
            label={common.username}
            required
            boxClass="flex-1"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" kind="primary" busy={add.isPending}>
            {messages.addMember}
          </Button>
        </form>
      )}
      {add.error && <ErrorNote error={add.error} />}
      <Loaded query={query}>
        {({ members }) => (
          <Table
            name={messages.members}
            rows={members}
            id={({ user_id }) => user_id}
            empty={<p className="text-body text-quiet">{messages.noMembers}</p>}
            columns={[
              {
                head: messages.user,
                value: ({ username }) => username,
                cell: ({ username }) => <span className="font-medium">{username}</span>,
              },
              { head: common.role, value: ({ role }) => role },
              {
                head: common.actions,
                cell: ({ username }) =>
                  mayManage && (
                    <Button small kind="danger" onClick={() => remove.mutate(username)}>
                      {common.remove}
                      <span className="sr-only"> {username}</span>
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </div>
  );
}
