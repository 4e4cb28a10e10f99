import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes';

/** Tabs, of which one is shown. */
export function Tabs({
  name,
  tabs,
  value,
  onChange,
  children,
}: {
  name: string;
  tabs: readonly (readonly [string, ReactNode])[];
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex min-w-0 flex-col gap-4">
      <Radix.List
        aria-label={name}
        className={classes(
          'flex gap-1 overflow-x-auto border-b border-line max-sm:pr-8',
          'max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-2.5rem),transparent)]',
        )}
      >
        {tabs.map(([id, label]) => (
          <Radix.Trigger
            key={id}
            value={id}
            className={classes(
              '-mb-px border-b-2 border-transparent px-3 py-2 text-body font-medium whitespace-nowrap',
              'text-quiet hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-accent',
              'data-[state=active]:text-ink',
            )}
          >
            {label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

/** The content of a tab. */
export function Tab({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Radix.Content value={id} className="min-w-0 outline-offset-4">
      {children}
    </Radix.Content>
  );
}
