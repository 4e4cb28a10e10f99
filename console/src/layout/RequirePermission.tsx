import { useQuery } from '@tanstack/react-query';
import type { RouteComponent } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import type { Schema } from '@/api/client';
import { fill } from '@/lib/fill';
import { messages } from '@/messages/layout';
import { me, usePermission } from '@/session/me';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Page } from '@/ui/Page';

/**
 * Renders the component if the user has the permission `needs`, and otherwise says which one is missing. The server
 * checks as well.
 */
export function requirePermission(needs: Schema<'PermissionName'> | null, Component: RouteComponent): RouteComponent {
  const RequirePermission = () => {
    const query = useQuery(me);
    const may = usePermission();
    if (needs === null || may(needs)) return <Component />;
    return (
      <div className="p-6">
        <Loaded query={query}>{({ role }) => <Denied role={role} needs={needs} />}</Loaded>
      </div>
    );
  };
  return Object.assign(RequirePermission, { preload: (Component as { preload?: () => Promise<void> }).preload });
}

function Denied({ role, needs }: { role: string; needs: string }) {
  return (
    <Page title={messages.noAccess}>
      <div className="card">
        <Empty title={messages.roleDenied(role)}>
          <p>
            <Lock aria-hidden size={14} className="mr-1 inline" />
            {fill(messages.permissionNeeded, { permission: <code className="font-mono">{needs}</code> })}
          </p>
        </Empty>
      </div>
    </Page>
  );
}
