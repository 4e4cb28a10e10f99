import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schema } from '@/api/client';
import { roles } from '@/api/data';
import { queries } from '@/api/queries';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Loaded } from '@/ui/Loaded';
import { Card, Page } from '@/ui/Page';
import { catalogue } from './catalogue';
import { PermissionMatrix } from './PermissionMatrix';
import { RoleDialog } from './RoleDialog';

type Role = Schema<'RoleRecord'>;

/** What each role may do. */
export function Roles() {
  const may = usePermission();
  const query = useQuery(roles);
  const permissions = useQuery(catalogue).data ?? [];
  const [open, setOpen] = useState<Role | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Role | null>(null);
  const fresh = () => queries.invalidateQueries({ queryKey: ['roles'] });
  return (
    <Page
      title="Roles"
      intro="Five roles are built in; make your own from the same permissions. Nobody can grant what they lack."
      actions={
        may('ROLES:CREATE_ROLE') && (
          <Button kind="primary" onClick={() => setOpen('new')}>
            <Plus aria-hidden size={14} />
            New role
          </Button>
        )
      }
    >
      <Loaded query={query} lines={10}>
        {(all) => (
          <>
            {all.some(({ built_in }) => !built_in) && (
              <Card title="Roles of this organisation">
                <ul className="divide-y divide-line text-body">
                  {all
                    .filter(({ built_in }) => !built_in)
                    .map((role) => (
                      <li key={role.role_id} className="flex flex-wrap items-center gap-2 py-2">
                        <span className="flex-1 font-medium">
                          {role.name}{' '}
                          <span className="font-normal text-quiet">· {role.permissions.length} permissions</span>
                        </span>
                        {may('ROLES:UPDATE_ROLE') && (
                          <Button small onClick={() => setOpen(role)}>
                            Change<span className="sr-only"> {role.name}</span>
                          </Button>
                        )}
                        {may('ROLES:DELETE_ROLE') && (
                          <Button small kind="danger" onClick={() => setDeleted(role)}>
                            Delete<span className="sr-only"> {role.name}</span>
                          </Button>
                        )}
                      </li>
                    ))}
                </ul>
              </Card>
            )}
            <Card title="Permissions by role">
              <PermissionMatrix roles={all} permissions={permissions} />
            </Card>
          </>
        )}
      </Loaded>
      {open !== null && <RoleDialog role={open === 'new' ? null : open} onClose={() => setOpen(null)} onDone={fresh} />}
      {deleted && (
        <Confirm
          title="Delete the role?"
          verb="Delete"
          act={() => answer(api.DELETE('/api/roles/{role_id}', { params: { path: { role_id: deleted.role_id } } }))}
          onClose={() => setDeleted(null)}
          onDone={() => {
            setDeleted(null);
            void fresh();
          }}
        >
          <p>
            Nobody must have the role <strong>{deleted.name}</strong> any more.
          </p>
        </Confirm>
      )}
    </Page>
  );
}
