import type { ReactNode } from 'react';
import { common } from '@/messages/common';
import { Button } from './Button';

/** The number of selected entries and what can be done with them. Absent without a selection. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section
      aria-label={common.selection}
      className="flex flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-4 py-2 text-body"
    >
      <span role="status" className="font-medium">
        {common.selected(count)}
      </span>
      {children}
      <Button small kind="quiet" onClick={onClear}>
        {common.clearSelection}
      </Button>
    </section>
  );
}
