import { useRef } from 'react';
import type { Selection } from '@/lib/useSelection';
import { common } from '@/messages/common';

const BOX = 'relative z-1 size-4 cursor-pointer align-middle accent-accent';

/** The checkbox of an entry. A click with the shift key also changes the entries since the last click. */
export function SelectBox({ id, label, selection }: { id: string; label: string; selection: Selection }) {
  // A change does not say which keys were held.
  const isRange = useRef(false);
  return (
    <input
      type="checkbox"
      aria-label={common.select(label)}
      className={BOX}
      checked={selection.ids.has(id)}
      onClick={(event) => {
        isRange.current = event.shiftKey;
      }}
      onChange={() => selection.toggle(id, isRange.current)}
    />
  );
}

/** The checkbox in the head of a list, which selects every listed entry or none. */
export function SelectAllBox({ count, ids, selection }: { count: number; ids: () => string[]; selection: Selection }) {
  const selected = selection.ids.size;
  return (
    <input
      type="checkbox"
      aria-label={common.selectAll}
      className={BOX}
      ref={(box) => {
        if (box) box.indeterminate = selected > 0 && selected < count;
      }}
      checked={count > 0 && selected === count}
      onChange={() => (selected === count ? selection.clear() : selection.set(ids()))}
    />
  );
}
