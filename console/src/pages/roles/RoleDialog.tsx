import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { common } from '@/messages/common';
import { messages } from '@/messages/roles';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { PermissionChoice } from '@/ui/PermissionChoice';

type Props = { role: Schema<'RoleRecord'> | null; onClose: () => void; onDone: () => void };

/** Creates or edits a custom role. */
export function RoleDialog({ role, onClose, onDone }: Props) {
  const [name, setName] = useState(role?.name ?? '');
  const [held, setHeld] = useState<Schema<'PermissionName'>[]>(role?.permissions ?? []);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: async (): Promise<unknown> => {
      const body = { name, permissions: held };
      return role === null
        ? answer(api.POST('/api/roles', { body }))
        : answer(api.PUT('/api/roles/{role_id}', { params: { path: { role_id: role.role_id } }, body }));
    },
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <Dialog
      wide
      title={role === null ? messages.newTitle : common.editNamed(role.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="role" busy={run.isPending}>
            {role === null ? common.create : common.save}
          </Button>
        </>
      }
    >
      <form
        id="role"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate();
        }}
      >
        <Input
          label={common.name}
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <PermissionChoice held={held} onChange={setHeld} />
        {run.error && <ErrorNote error={run.error} />}
      </form>
    </Dialog>
  );
}
