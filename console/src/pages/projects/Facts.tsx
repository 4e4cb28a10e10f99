import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '@/api/client';
import { policies } from '@/api/data';
import { words } from '@/lib/format';
import { messages } from '@/messages/projects';
import { usePermission } from '@/session/me';
import { Copy } from '@/ui/Copy';
import { Card } from '@/ui/Page';
import { Ago } from '@/ui/Time';

const text = messages.page;

/** The settings of a project: its policies, the texts that its log keeps, and its identifier. */
export function Facts({ project }: { project: Schema<'ProjectRecord'> }) {
  const { projectId, projectName, policyId, shadow_policy_id, log_content, on_store_failure, updated_at } = project;
  return (
    <Card>
      <h2 className="sr-only">{text.facts}</h2>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 text-body">
        <Fact name={messages.policy}>
          <PolicyLink id={policyId} />
        </Fact>
        {shadow_policy_id && (
          <Fact name={messages.shadowPolicy}>
            <PolicyLink id={shadow_policy_id} />
          </Fact>
        )}
        <Fact name={messages.logContent}>
          {words(log_content)}
          {on_store_failure === 'spool' && <span className="block text-xs text-quiet">{messages.continues}</span>}
        </Fact>
        <Fact name={messages.id}>
          <span className="inline-flex items-center">
            <code className="font-mono text-xs break-all">{projectId}</code>
            <Copy text={projectId} label={messages.copyId(projectName)} />
          </span>
        </Fact>
        <Fact name={messages.updated}>
          <Ago at={updated_at} />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The name and version of a policy. */
function PolicyLink({ id }: { id: string }) {
  const may = usePermission();
  const known = useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data ?? [];
  const policy = known.find(({ policyId }) => policyId === id);
  if (policy === undefined) return <code className="font-mono text-xs">{id}</code>;
  return (
    <>
      <Link to="/policies/$policyId" params={{ policyId: id }} className="text-accent hover:underline">
        {policy.policyName}
      </Link>{' '}
      <span className="text-xs text-quiet">{text.version(policy.version)}</span>
    </>
  );
}
