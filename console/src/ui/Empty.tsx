import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';

/** An empty state: why it is empty, and the next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-10 text-center">
      <span aria-hidden className="mb-1 grid size-10 place-items-center rounded-full bg-sunken text-quiet">
        <Inbox size={18} />
      </span>
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-md text-body text-pretty text-quiet">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
