import { useState } from 'react';

/** Selected entries of a list, by their identifiers. */
export type Selection = {
  ids: ReadonlySet<string>;
  /** Selects or deselects an entry; with `isRange`, all from the one that was changed last. */
  toggle: (id: string, isRange: boolean) => void;
  set: (ids: string[]) => void;
  clear: () => void;
};

/** Returns a selection after a change: `order` are the identifiers as they are listed. */
export function toggled(
  selected: ReadonlySet<string>,
  order: string[],
  id: string,
  anchor: string | null,
): ReadonlySet<string> {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)];
  const range = from === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  const next = new Set(selected);
  const isAdded = !selected.has(id);
  for (const one of range) {
    if (isAdded) next.add(one);
    else next.delete(one);
  }
  return next;
}

/** The selection of a list with the identifiers `order`. Entries that left the list are no longer selected. */
export function useSelection(order: string[]): Selection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [anchor, setAnchor] = useState<string | null>(null);
  const listed = picked.size === 0 ? picked : new Set(order.filter((id) => picked.has(id)));
  return {
    ids: listed,
    toggle: (id, isRange) => {
      setPicked(toggled(listed, order, id, isRange ? anchor : null));
      setAnchor(id);
    },
    set: (ids) => setPicked(new Set(ids)),
    clear: () => setPicked(new Set()),
  };
}
