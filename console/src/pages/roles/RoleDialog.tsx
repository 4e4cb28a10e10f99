import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { words } from '@/lib/format';
import { common } from '@/messages/common';
import { messages } from '@/messages/roles';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input } from '@/ui/Field';
import { catalogue } from './catalogue';

type Props = { role: Schema<'RoleRecord'> | null; onClose: () => void; onDone: () => void };

/** Creates or edits a custom role. Users can grant only permissions that they have. */
export function RoleDialog({ role, onClose, onDone }: Props) {
  const may = usePermission();
  const permissions = useQuery(catalogue).data ?? [];
  const [name, setName] = useState(role?.name ?? '');
  const [held, setHeld] = useState<string[]>(role?.permissions ?? []);
  const toggle = (permission: string, on: boolean) =>
    setHeld(on ? [...held, permission] : held.filter((one) => one !== permission));
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
        <div className="grid gap-4 sm:grid-cols-2">
          {[...new Set(permissions.map(({ module }) => module))].map((module) => (
            <fieldset key={module}>
              <legend className="mb-1 text-xs font-semibold text-quiet">{words(module)}</legend>
              {permissions
                .filter((one) => one.module === module)
                .map(({ permission, description }) => (
                  <label key={permission} className="flex items-start gap-2 py-1 text-body">
                    <input
                      type="checkbox"
                      className="mt-0.5"
                      checked={held.includes(permission)}
                      disabled={!may(permission)}
                      onChange={(event) => toggle(permission, event.target.checked)}
                    />
                    {description}
                  </label>
                ))}
            </fieldset>
          ))}
        </div>
        {run.error && <ErrorNote error={run.error} />}
      </form>
    </Dialog>
  );
}
