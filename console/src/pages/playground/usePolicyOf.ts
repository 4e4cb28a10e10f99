import { useQuery } from '@tanstack/react-query';
import { defaultPolicy, policies, projects } from '@/api/data';
import { loadDraft } from '@/lib/drafts';
import type { Policy } from '@/lib/policy';
import { usePermission } from '@/session/me';
import { BY_DEFAULT, type PolicyChoice } from './evaluate';

/** Returns the policy of a choice, if the user may view policies. */
export function usePolicyOf(choice: PolicyChoice): Policy | undefined {
  const may = usePermission();
  const enabled = may('FIREWALL_POLICIES:VIEW_POLICY');
  const known = useQuery({ ...policies, enabled }).data;
  const made = useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data;
  const fallback = useQuery({ ...defaultPolicy, enabled }).data;
  const [kind, id] = choice.split(':');
  if (choice === 'project:' || choice === BY_DEFAULT) return fallback;
  const policyId = kind !== 'project' ? id : made?.find(({ projectId }) => projectId === id)?.policyId;
  const stored = known?.find((policy) => policy.policyId === policyId);
  return (kind === 'draft' && stored && loadDraft(stored)) || stored;
}
