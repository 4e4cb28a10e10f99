import { Check } from 'lucide-react';
import { Fragment } from 'react';
import type { Schema } from '@/api/client';
import { described, words } from '@/lib/format';
import { tableCsv } from '@/lib/table';
import { common } from '@/messages/common';
import { messages } from '@/messages/roles';
import { ScrollArea } from '@/ui/ScrollArea';

type Props = { roles: Schema<'RoleRecord'>[]; permissions: Schema<'PermissionRecord'>[] };

/** Writes the permissions by role as comma-separated values. */
export const matrixCsv = ({ roles, permissions }: Props): string =>
  tableCsv<Schema<'PermissionRecord'>>(
    [
      { head: messages.permission, value: ({ permission }) => permission },
      { head: messages.description, value: ({ permission, description }) => described(permission, description) },
      ...roles.map(({ name, permissions: held }) => ({
        head: name,
        value: ({ permission }: Schema<'PermissionRecord'>) => (held.includes(permission) ? common.yes : common.no),
      })),
    ],
    permissions,
  );

/** A table of permissions by role. */
export function PermissionMatrix({ roles, permissions }: Props) {
  const modules = [...new Set(permissions.map(({ module }) => module))];
  return (
    <ScrollArea className="relative -mx-4 max-h-[70dvh] overflow-auto" label={messages.matrix}>
      <table className="w-full text-body">
        <thead className="sticky top-0 z-10 bg-surface text-xs text-quiet">
          <tr>
            <th scope="col" className="px-4 py-1.5 text-left font-medium">
              {messages.permission}
            </th>
            {roles.map(({ role_id, name }) => (
              <th key={role_id} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {modules.map((module) => (
            <Fragment key={module}>
              <tr>
                <th
                  scope="colgroup"
                  colSpan={roles.length + 1}
                  className="bg-sunken px-4 py-1 text-left text-xs font-semibold"
                >
                  {words(module)}
                </th>
              </tr>
              {permissions
                .filter((one) => one.module === module)
                .map(({ permission, description, action }) => (
                  <tr key={permission} className="border-b border-line hover:bg-sunken/60">
                    <th scope="row" className="min-w-44 px-4 py-1 text-left font-normal">
                      {described(permission, description)}{' '}
                      <code className="ml-1 font-mono text-2xs text-quiet max-md:hidden">{action}</code>
                    </th>
                    {roles.map(({ role_id, permissions: held }) => (
                      <td key={role_id} className="px-3 py-1 text-center">
                        {held.includes(permission) ? (
                          <Check size={14} role="img" aria-label={common.yes} className="inline text-allow" />
                        ) : (
                          <span className="sr-only">{common.no}</span>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
