import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { BookOpen, CircleUser, Keyboard, LogOut } from 'lucide-react';
import { at } from '@/lib/base';
import { messages } from '@/messages/layout';
import { me } from '@/session/me';
import { signOut } from '@/session/session';
import { Item, Menu } from '@/ui/Menu';

/** The menu of the signed-in user. */
export function Account({ onShortcuts }: { onShortcuts: () => void }) {
  const { data } = useQuery(me);
  const navigate = useNavigate();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex min-h-8.5 max-w-44 min-w-0 items-center gap-2 rounded-md px-2 text-body hover:bg-sunken"
        >
          <CircleUser aria-hidden size={16} className="shrink-0 text-quiet" />
          <span className="sr-only">{messages.account} </span>
          <span className="truncate">{data?.username ?? '…'}</span>
        </button>
      }
    >
      <Item onSelect={() => void navigate({ to: '/profile' })}>
        <CircleUser aria-hidden size={14} />
        {messages.profile}
      </Item>
      <Item onSelect={() => window.open(at('/docs'), '_blank', 'noopener')}>
        <BookOpen aria-hidden size={14} />
        {messages.apiReference}
      </Item>
      <Item onSelect={onShortcuts}>
        <Keyboard aria-hidden size={14} />
        {messages.shortcuts.open}
      </Item>
      <Item onSelect={() => void signOut()}>
        <LogOut aria-hidden size={14} />
        {messages.signOut}
      </Item>
    </Menu>
  );
}
