import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { projects } from '@/api/data';
import { queries } from '@/api/queries';
import { messages } from '@/messages/api-keys';
import { common } from '@/messages/common';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorNote } from '@/ui/ErrorNote';
import { Input, Select } from '@/ui/Field';
import { PermissionChoice } from '@/ui/PermissionChoice';
import { CreatedApiKey } from './CreatedApiKey';

const LIFETIMES = [
  ['90', messages.lifetimes.quarter],
  ['30', messages.lifetimes.month],
  ['365', messages.lifetimes.year],
  ['', messages.lifetimes.unlimited],
] as const;

/** What an application needs that asks about prompts and answers. */
const GUARD: Schema<'PermissionName'>[] = ['FIREWALL:ANALYZE', 'FIREWALL:VALIDATE', 'FIREWALL:MASK'];

/** Creates an API key and shows it once. */
export function NewApiKey({ onClose }: { onClose: () => void }) {
  const may = usePermission();
  const mine = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [];
  const [permissions, setPermissions] = useState<Schema<'PermissionName'>[] | null>(null);
  const run = useMutation({
    meta: { shown: true },
    // Forget the key when the dialog closes.
    gcTime: 0,
    mutationFn: (form: FormData) => {
      const given = (name: string) => String(form.get(name) ?? '') || undefined;
      const query = {
        name: String(form.get('name')),
        expires_days: Number(given('days')) || undefined,
        projectId: given('project'),
        permissions: permissions?.join(','),
      };
      return answer(api.POST('/api-keys/create', { params: { query } }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (run.data) return <CreatedApiKey created={run.data} onClose={onClose} />;
  return (
    <Dialog
      wide={permissions !== null}
      title={messages.newTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form="key" busy={run.isPending}>
            {common.create}
          </Button>
        </>
      }
    >
      <form
        id="key"
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          run.mutate(new FormData(event.currentTarget));
        }}
      >
        <Input label={common.name} name="name" required maxLength={100} placeholder={messages.namePlaceholder} />
        <Select label={messages.validFor} name="days" options={LIFETIMES} />
        <Select
          label={messages.project}
          name="project"
          hint={messages.projectHint}
          options={[
            ['', messages.everyProject],
            ...mine.map(({ projectId, projectName }) => [projectId, projectName] as const),
          ]}
        />
        <Select
          label={messages.permissions}
          hint={permissions === null && messages.permissionsHint}
          value={permissions === null ? 'all' : 'chosen'}
          options={[
            ['all', messages.allPermissions],
            ['chosen', messages.chosenPermissions],
          ]}
          onChange={(event) => setPermissions(event.target.value === 'all' ? null : GUARD.filter(may))}
        />
        {permissions !== null && <PermissionChoice held={permissions} onChange={setPermissions} />}
        {run.error && <ErrorNote error={run.error} />}
      </form>
    </Dialog>
  );
}
