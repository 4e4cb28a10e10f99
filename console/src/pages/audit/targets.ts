import { useQuery } from '@tanstack/react-query';
import { alerts, connectors, keys, organization, policies, projects, roles, userNames } from '@/api/data';
import { usePermission } from '@/session/me';
import type { AuditEntry } from './data';

type Kind =
  | 'policy'
  | 'project'
  | 'connector'
  | 'alert'
  | 'key'
  | 'user'
  | 'role'
  | 'organization'
  | 'log'
  | 'review'
  | 'run';

const KINDS: Record<string, Kind> = {
  FIREWALL_POLICIES: 'policy',
  PROJECTS: 'project',
  CONNECTORS: 'connector',
  API_KEYS: 'key',
  USERS: 'user',
  ROLES: 'role',
  REVIEWS: 'review',
  ORGANIZATION: 'organization',
};

/** Returns what an action acts on; null if its target is a name, or is not shown on a page. */
export function kindOf(action: string): Kind | null {
  const [area = '', verb = ''] = action.split(':');
  if (['MARK_LOG', 'REVEAL_TEXT'].includes(verb)) return 'log';
  if (['START_RUN', 'CANCEL_RUN'].includes(verb)) return 'run';
  if (verb.endsWith('_ALERT')) return 'alert';
  // An invitation has no name and no page of its own.
  if (verb.endsWith('_INVITATION')) return null;
  if (area === 'CONNECTORS' && !verb.endsWith('_CONNECTOR') && verb !== 'SEE_TOOLS') return null;
  return KINDS[area] ?? null;
}

const NAMES = ['name', 'projectName', 'policyName', 'username', 'title'];

/** Returns the name that the details hold, also of a target that was deleted since. */
export function nameInDetails(details: Record<string, unknown>): string | undefined {
  for (const field of NAMES) {
    const value = details[field];
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null && 'to' in value && typeof value.to === 'string') return value.to;
  }
  return undefined;
}

/** Returns the name of an entry's target, as far as it is known to the caller. Identifiers are unique across lists. */
export function useTargetNames(): (entry: AuditEntry) => string | undefined {
  const may = usePermission();
  const known = {
    policies: useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data ?? [],
    projects: useQuery({ ...projects, enabled: may('PROJECTS:VIEW_PROJECT') }).data ?? [],
    connectors: useQuery({ ...connectors, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data ?? [],
    alerts: useQuery({ ...alerts, enabled: may('CONNECTORS:VIEW_CONNECTOR') }).data ?? [],
    keys: useQuery({ ...keys, enabled: may('API_KEYS:VIEW_API_KEY') }).data ?? [],
    roles: useQuery({ ...roles, enabled: may('ROLES:VIEW_ROLE') }).data ?? [],
    users: useQuery({ ...userNames, enabled: may('USERS:VIEW_USER') }).data ?? [],
  };
  const own = useQuery(organization).data?.name;
  const names = new Map<string, string>([
    ...known.policies.map(({ policyId, policyName }) => [policyId, policyName] as const),
    ...known.projects.map(({ projectId, projectName }) => [projectId, projectName] as const),
    ...known.connectors.map(({ id, name }) => [id, name] as const),
    ...known.alerts.map(({ alert_id, name }) => [alert_id, name] as const),
    ...known.keys.map(({ key_id, name }) => [key_id, name] as const),
    ...known.roles.map(({ role_id, name }) => [role_id ?? '', name] as const),
    ...known.users.map(({ user_id, username }) => [user_id, username] as const),
  ]);
  return ({ action, target, details }) =>
    kindOf(action) === 'organization' ? own : (names.get(target) ?? nameInDetails(details as Record<string, unknown>));
}
