import { useQuery } from '@tanstack/react-query';
import type { RouteComponent } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { me, usePermission } from '@/session/me';
import { Empty } from '@/ui/Empty';
import { Loaded } from '@/ui/Loaded';
import { Page } from '@/ui/Page';

/** The component, for those whose role holds `needs`; others are told what they lack. The server checks all the same. */
export function requirePermission(needs: string | null, Component: RouteComponent): RouteComponent {
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
    <Page title="Not for your role">
      <div className="card">
        <Empty title={`The role “${role}” does not open this page`}>
          <p>
            <Lock aria-hidden size={14} className="mr-1 inline" />
            It needs the permission <code className="font-mono">{needs}</code>. An owner or admin of your organisation
            can give it to you.
          </p>
        </Empty>
      </div>
    </Page>
  );
}
