import { Link } from '@tanstack/react-router';
import { messages } from '@/messages/layout';
import { usePermission } from '@/session/me';
import { classes } from '@/ui/classes';
import { NAVIGATION } from './nav';

/** The pages that the user may open. */
export function Navigation({ onPick }: { onPick?: () => void }) {
  const may = usePermission();
  return (
    <nav aria-label={messages.pages} className="flex flex-col gap-4 px-2 py-2">
      {NAVIGATION.map(({ group, entries }) => {
        const open = entries.filter(({ needs }) => needs === null || may(needs));
        return (
          open.length > 0 && (
            <div key={group}>
              <p className="px-2 pb-1 text-2xs font-semibold tracking-wide text-quiet uppercase">{group}</p>
              <ul>
                {open.map(({ to, label, icon: Icon }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      onClick={onPick}
                      activeOptions={{ exact: to === '/', includeSearch: false }}
                      activeProps={{ className: 'bg-accent-soft text-accent!' }}
                      className={classes(
                        'flex items-center gap-2.5 rounded-md px-2 py-1.5 text-body font-medium text-quiet',
                        'hover:bg-sunken hover:text-ink',
                      )}
                    >
                      <Icon aria-hidden size={15} />
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        );
      })}
    </nav>
  );
}
