import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Building2, Check, ChevronsUpDown } from 'lucide-react';
import { messages } from '@/messages/layout';
import { me } from '@/session/me';
import { switchTo } from '@/session/signIn';
import { Item, Menu, MenuLabel } from '@/ui/Menu';

/** Shows the current organization and switches to others. */
export function Organizations() {
  const { data } = useQuery(me);
  const client = useQueryClient();
  const navigate = useNavigate();
  const go = useMutation({
    mutationFn: switchTo,
    onSuccess: async () => {
      await navigate({ to: '/' });
      await client.resetQueries();
    },
  });
  const current = data?.organizations.find(({ org_id }) => org_id === data.org_id);
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-sunken"
          disabled={go.isPending}
        >
          <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded bg-accent text-accent-ink">
            <Building2 size={14} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="sr-only">{messages.organization} </span>
            <span className="block truncate text-body font-semibold">{current?.name ?? '…'}</span>
            <span className="block truncate text-2xs text-quiet">{data?.role}</span>
          </span>
          <ChevronsUpDown aria-hidden size={14} className="text-quiet" />
        </button>
      }
    >
      <MenuLabel>{messages.organizations}</MenuLabel>
      {data?.organizations.map(({ org_id, name, role }) => (
        <Item key={org_id} disabled={org_id === data.org_id} onSelect={() => go.mutate(org_id)}>
          <span className="flex-1">
            {name} <span className="text-quiet">· {role}</span>
          </span>
          {org_id === data.org_id && <Check aria-hidden size={14} />}
        </Item>
      ))}
    </Menu>
  );
}
