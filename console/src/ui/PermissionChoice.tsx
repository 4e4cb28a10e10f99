import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/client';
import { permissions as catalogue } from '@/api/data';
import { described, words } from '@/lib/format';
import { usePermission } from '@/session/me';

type Name = Schema<'PermissionName'>;
type Props = { held: Name[]; onChange: (held: Name[]) => void };

/** A checkbox for each permission, by module. Users can grant only permissions that they have. */
export function PermissionChoice({ held, onChange }: Props) {
  const may = usePermission();
  const permissions = useQuery(catalogue).data ?? [];
  const toggle = (permission: Name, on: boolean) =>
    onChange(on ? [...held, permission] : held.filter((one) => one !== permission));
  return (
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
                {described(permission, description)}
              </label>
            ))}
        </fieldset>
      ))}
    </div>
  );
}
