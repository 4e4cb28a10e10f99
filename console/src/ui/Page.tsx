import { type ReactNode, useEffect } from 'react';
import { useConnection } from '@/api/connection';
import { clock } from '@/lib/format';
import { common } from '@/messages/common';
import { classes } from './classes';
import { LoadingScope, useHasNothing } from './loading';
import { Pill } from './Pill';

/** A page with its title, actions and content. */
export function Page({
  title,
  intro,
  actions,
  children,
  full = false,
}: {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  full?: boolean;
}) {
  useEffect(() => {
    document.title = common.documentTitle(title);
  }, [title]);
  return (
    <LoadingScope>
      <div
        className={classes(
          'mx-auto flex w-full min-w-0 flex-col gap-4 px-4 py-5 sm:px-6',
          full ? 'h-full' : 'max-w-[128rem]',
        )}
      >
        <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
            <NotCurrent />
            {intro && <p className="mt-0.5 max-w-4xl text-body text-pretty text-quiet">{intro}</p>}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </LoadingScope>
  );
}

/** Marks a page whose content may be old. A page that never loaded says instead that it waits. */
function NotCurrent() {
  const { isLost, lastAnswer } = useConnection();
  const hasNothing = useHasNothing();
  return isLost && !hasNothing && <Pill tone="challenge">{common.notCurrent(clock(lastAnswer))}</Pill>;
}

/** A section of a page with a title. */
export function Card({
  title,
  note,
  actions,
  children,
  className,
}: {
  title?: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={classes('card min-w-0 overflow-hidden', className)}>
      {title && (
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3 pb-1">
          <h2 className="text-body font-semibold">{title}</h2>
          {note && <p className="text-xs text-quiet">{note}</p>}
          {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className="px-4 py-3">{children}</div>
    </section>
  );
}
