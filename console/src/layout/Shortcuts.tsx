import { messages } from '@/messages/layout';
import { Dialog } from '@/ui/Dialog';

const text = messages.shortcuts;

/** Lists the keyboard shortcuts. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text.title} onClose={onClose}>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-body">
        {text.list.map(([keys, effect]) => (
          <div key={effect} className="contents">
            <dt className="flex flex-wrap items-center gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line bg-sunken px-1.5 font-mono text-xs">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
