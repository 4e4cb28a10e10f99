import { useQuery } from '@tanstack/react-query';
import { keys, userNames } from '@/api/data';
import { messages } from '@/messages/audit';
import { auditActions } from '@/messages/audit-actions';
import { common } from '@/messages/common';
import { usePermission } from '@/session/me';
import { type Group, GroupedSelect } from '@/ui/GroupedSelect';
import { type AuditFilters, actionName } from './data';

type Props = { filters: AuditFilters; onChange: (change: Partial<AuditFilters>) => void };

/** Selects the action and the principal whose entries are shown. */
export function Filters({ filters: { action, principal }, onChange }: Props) {
  return (
    <search className="mb-3 flex flex-wrap items-end gap-3">
      <GroupedSelect
        label={messages.action}
        boxClass="w-72"
        value={action ?? ''}
        all={messages.everyAction}
        groups={withPicked(ACTIONS, action, actionName)}
        onChange={(next) => onChange({ action: next || undefined })}
      />
      <GroupedSelect
        label={messages.principal}
        boxClass="w-56"
        value={principal ?? ''}
        all={messages.everyPrincipal}
        groups={withPicked(usePrincipals(), principal, (name) => name.replace(/^(user|api_key):/, ''))}
        onChange={(next) => onChange({ principal: next || undefined })}
      />
    </search>
  );
}

const areaOf = (action: string) => {
  const [area = '', verb] = action.split(':');
  return verb === undefined ? messages.operatorActions : (messages.areas[area] ?? area);
};

/** Every action by the area that it belongs to, in the order of the API. */
const ACTIONS: Group[] = [];
for (const [action, label] of Object.entries(auditActions)) {
  const area = areaOf(action);
  const group = ACTIONS.find((known) => known.label === area);
  if (group) group.options.push([action, label]);
  else ACTIONS.push({ label: area, options: [[action, label]] });
}

function usePrincipals(): Group[] {
  const may = usePermission();
  const users = useQuery({ ...userNames, enabled: may('USERS:VIEW_USER') }).data ?? [];
  const known = useQuery({ ...keys, enabled: may('API_KEYS:VIEW_API_KEY') }).data ?? [];
  const groups: Group[] = [
    { label: messages.users, options: users.map(({ username }) => [`user:${username}`, username]) },
    { label: messages.apiKeys, options: known.map(({ key_id, name }) => [`api_key:${key_id}`, name]) },
    {
      label: messages.system,
      options: [
        ['operator', common.operator],
        ['upgrade', common.upgrade],
      ],
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** Adds the value of the address if no group has it. */
const withPicked = (groups: Group[], value: string | undefined, nameOf: (value: string) => string): Group[] =>
  value === undefined || groups.some(({ options }) => options.some(([known]) => known === value))
    ? groups
    : [...groups, { label: messages.otherFilter, options: [[value, nameOf(value)]] }];
