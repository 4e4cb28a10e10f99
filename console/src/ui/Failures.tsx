import { TriangleAlert } from 'lucide-react';

const SHOWN = 20;

/** The items of an action on several that failed, and why. */
export function Failures({ title, failed }: { title: string; failed: { name: string; reason: string }[] }) {
  return (
    <div role="alert" className="space-y-2 text-body">
      <p className="flex items-center gap-2 font-medium text-block">
        <TriangleAlert aria-hidden size={16} className="shrink-0" />
        {title}
      </p>
      <ul className="space-y-1.5">
        {failed.slice(0, SHOWN).map(({ name, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names may repeat.
          <li key={index} className="rounded-md bg-sunken px-3 py-1.5">
            <span className="block truncate text-xs text-quiet">{name}</span>
            {reason}
          </li>
        ))}
      </ul>
      {failed.length > SHOWN && <p className="text-quiet">+{failed.length - SHOWN}</p>}
    </div>
  );
}
