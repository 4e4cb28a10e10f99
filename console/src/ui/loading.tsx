import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useState } from 'react';

type State = 'waiting' | 'loaded';
type Counts = Record<State, number>;
type Add = (state: State, by: 1 | -1) => void;

// Apart, so that a change of the counts renders only what shows them.
const CountsContext = createContext<Counts | null>(null);
const AddContext = createContext<Add | null>(null);

/** Counts what of a page has loaded and what waits. */
export function LoadingScope({ children }: { children: ReactNode }) {
  const [counts, setCounts] = useState<Counts>({ waiting: 0, loaded: 0 });
  const add: Add = useCallback((state, by) => setCounts((old) => ({ ...old, [state]: old[state] + by })), []);
  return (
    <AddContext value={add}>
      <CountsContext value={counts}>{children}</CountsContext>
    </AddContext>
  );
}

/** Reports to the page around that something waits or has loaded, as long as it is shown. */
export function useLoading(state: State | null): void {
  const add = useContext(AddContext);
  // Before the browser draws the page, so that no wrong label flashes.
  useLayoutEffect(() => {
    if (state === null || add === null) return;
    add(state, 1);
    return () => add(state, -1);
  }, [state, add]);
}

/** Returns whether the page around waits for all of its content. */
export function useHasNothing(): boolean {
  const counts = useContext(CountsContext);
  return counts !== null && counts.waiting > 0 && counts.loaded === 0;
}
