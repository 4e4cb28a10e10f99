import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu as Bars, Search, ShieldCheck } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useConnection } from '@/api/connection';
import { focusRow, focusSearch, hasDialog, useKeys } from '@/lib/shortcuts';
import { useIsUtc } from '@/lib/zone';
import { common } from '@/messages/common';
import { messages } from '@/messages/layout';
import { me } from '@/session/me';
import { Button, IconButton } from '@/ui/Button';
import { classes } from '@/ui/classes';
import { Dialog } from '@/ui/Dialog';
import { Account } from './Account';
import { CommandPalette } from './CommandPalette';
import { IdleWarning } from './IdleWarning';
import { LanguageMenu } from './LanguageMenu';
import { preloadPages } from './lazyPage';
import { Navigation } from './Navigation';
import { NoProject } from './NoProject';
import { Organizations } from './Organizations';
import { Outage } from './Outage';
import { Shortcuts } from './Shortcuts';
import { ThemeMenu } from './ThemeMenu';

/** The frame around every page. */
export function Shell() {
  const [open, setOpen] = useState<'menu' | 'palette' | 'shortcuts' | null>(null);
  const utc = useIsUtc();
  const main = useFocusOnNewPage(utc);
  const { data } = useQuery(me);
  const { isLost } = useConnection();
  usePreloadedPages();
  usePaletteKey(() => setOpen('palette'));
  const onPage = (action: () => void) => () => (hasDialog() ? false : action());
  useKeys({
    '?': onPage(() => setOpen('shortcuts')),
    '/': onPage(() => focusSearch() || setOpen('palette')),
    j: onPage(() => focusRow(1)),
    k: onPage(() => focusRow(-1)),
  });
  return (
    <div className="flex min-h-dvh lg:h-dvh">
      <button
        type="button"
        onClick={() => main.current?.focus()}
        className="card fixed top-2 left-2 z-50 -translate-y-20 px-3 py-2 text-body font-medium focus:translate-y-0"
      >
        {messages.skip}
      </button>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <header
          className={classes(
            'sticky top-0 z-20 flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-3',
          )}
        >
          <IconButton label={messages.menu} className="lg:hidden" onClick={() => setOpen('menu')}>
            <Bars size={18} />
          </IconButton>
          <Button kind="quiet" className="border-line!" onClick={() => setOpen('palette')}>
            <Search aria-hidden size={14} />
            <span className="max-sm:sr-only">{messages.goTo}</span>
            <kbd className="rounded border border-line px-1 text-2xs max-sm:hidden">{messages.shortcut}</kbd>
          </Button>
          <div className="ml-auto flex min-w-0 items-center gap-1">
            <LanguageMenu />
            <ThemeMenu />
            <Account onShortcuts={() => setOpen('shortcuts')} />
          </div>
        </header>
        <Outage />
        <NoProject />
        <main
          id="content"
          ref={main}
          tabIndex={-1}
          data-stale={isLost || undefined}
          // Texts for screen readers only are placed in it, or they would make the document longer than the window.
          className="relative min-w-0 flex-1 outline-none lg:overflow-y-auto"
        >
          {/* All times are shown anew in another zone. */}
          <Outlet key={String(utc)} />
        </main>
      </div>
      {open === 'palette' && <CommandPalette onClose={() => setOpen(null)} />}
      {open === 'shortcuts' && <Shortcuts onClose={() => setOpen(null)} />}
      {open === 'menu' && (
        <Dialog title={messages.menu} onClose={() => setOpen(null)}>
          <Organizations />
          <Navigation onPick={() => setOpen(null)} />
        </Dialog>
      )}
      {data && <IdleWarning seconds={data.idle_timeout} />}
    </div>
  );
}

function Sidebar() {
  return (
    <aside className="hidden w-56 shrink-0 flex-col border-r border-line bg-surface lg:flex">
      <div className="border-b border-line p-2">
        <Organizations />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Navigation />
      </div>
      <p className="flex items-center gap-1.5 border-t border-line px-4 py-2.5 text-xs font-semibold">
        <ShieldCheck aria-hidden size={14} className="text-accent" />
        {common.product}
      </p>
    </aside>
  );
}

/** Opens the command palette with Ctrl K. */
function usePaletteKey(onOpen: () => void): void {
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Loads the other pages once the first one is shown. */
function usePreloadedPages(): void {
  useEffect(() => {
    const timer = setTimeout(() => void preloadPages(), 2_000);
    return () => clearTimeout(timer);
  }, []);
}

/** Moves the focus to a new page, so that keyboard users and screen readers start there. */
function useFocusOnNewPage(utc: boolean) {
  const main = useRef<HTMLElement>(null);
  const path = `${useLocation({ select: ({ pathname }) => pathname })} ${utc}`;
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current !== path) main.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  return main;
}
