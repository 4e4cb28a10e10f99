import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { permissions as catalogue, roles } from '@/api/data';
import { queries } from '@/api/queries';
import { fill } from '@/lib/fill';
import { common } from '@/messages/common';
import { messages } from '@/messages/roles';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { DownloadCsv } from '@/ui/DownloadCsv';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { matrixCsv, PermissionMatrix } from './PermissionMatrix';
import { RoleDialog } from './RoleDialog';

type Role = Schema<'RoleRecord'>;

/** Lists roles with their permissions, and manages custom roles. */
export function Roles() {
  const may = usePermission();
  const query = useQuery(roles);
  const permissions = useQuery(catalogue).data ?? [];
  const [open, setOpen] = useState<Role | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Role | null>(null);
  const fresh = () => queries.invalidateQueries({ queryKey: ['roles'] });
  return (
    <Page
      title={messages.title}
      intro={messages.intro}
      actions={
        may('ROLES:CREATE_ROLE') && (
          <Button kind="primary" onClick={() => setOpen('new')}>
            <Plus aria-hidden size={14} />
            {messages.create}
          </Button>
        )
      }
    >
      <Loaded query={query} lines={10}>
        {(all) => (
          <>
            {all.some(({ built_in }) => !built_in) && (
              <Card title={messages.custom}>
                <ul className="divide-y divide-line text-body">
                  {all
                    .filter(({ built_in }) => !built_in)
                    .map((role) => (
                      <li key={role.role_id} className="flex flex-wrap items-center gap-2 py-2">
                        <span className="flex-1 font-medium">
                          {role.name}{' '}
                          <span className="font-normal text-quiet">
                            · {messages.permissions(role.permissions.length)}
                          </span>
                        </span>
                        {may('ROLES:UPDATE_ROLE') && (
                          <Button small onClick={() => setOpen(role)}>
                            {common.edit}
                            <span className="sr-only"> {role.name}</span>
                          </Button>
                        )}
                        {may('ROLES:DELETE_ROLE') && (
                          <Button small kind="danger" onClick={() => setDeleted(role)}>
                            {common.delete}
                            <span className="sr-only"> {role.name}</span>
                          </Button>
                        )}
                      </li>
                    ))}
                </ul>
              </Card>
            )}
            <Card
              title={messages.matrix}
              actions={<DownloadCsv name={messages.matrix} csv={() => matrixCsv({ roles: all, permissions })} />}
            >
              <PermissionMatrix roles={all} permissions={permissions} />
            </Card>
          </>
        )}
      </Loaded>
      {open !== null && <RoleDialog role={open === 'new' ? null : open} onClose={() => setOpen(null)} onDone={fresh} />}
      {deleted && (
        <Confirm
          title={messages.deleteTitle}
          verb={common.delete}
          act={() => answer(api.DELETE('/api/roles/{role_id}', { params: { path: { role_id: deleted.role_id } } }))}
          onClose={() => setDeleted(null)}
          onDone={() => {
            setDeleted(null);
            void fresh();
          }}
        >
          <p>{fill(messages.deleteBody, { name: <strong>{deleted.name}</strong> })}</p>
        </Confirm>
      )}
    </Page>
  );
}
