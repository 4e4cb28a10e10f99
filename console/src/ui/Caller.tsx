import { useQuery } from '@tanstack/react-query';
import { keys } from '@/api/data';
import { common } from '@/messages/common';
import { usePermission } from '@/session/me';

// Changes that no user made.
const SYSTEM: Record<string, string> = { operator: common.operator, upgrade: common.upgrade };

/** The user or API key of a principal (`user:NAME`, `api_key:ID`) by its name. */
export function Caller({ principal }: { principal: string }) {
  const may = usePermission();
  const [kind, id] = principal.split(/:(.*)/s);
  const known = useQuery({ ...keys, enabled: kind === 'api_key' && may('API_KEYS:VIEW_API_KEY') }).data;
  if (kind === 'user') return id;
  if (kind !== 'api_key') return SYSTEM[principal] ?? principal;
  const name = known?.find(({ key_id }) => key_id === id)?.name;
  return <span title={id}>{name === undefined ? common.unknownKey(id?.slice(0, 8) ?? '') : common.apiKey(name)}</span>;
}
