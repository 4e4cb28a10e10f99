import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { common } from '@/messages/common';
import { toast, toastError } from '@/ui/toasts';
import { type AllItems, allPages, type ListPage } from './allPages';

type Options<Item, Format> = {
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>;
  /** The most items of a file. */
  most: number;
  onLoaded: (all: AllItems<Item>, format: Format) => void;
};

/** Loads every page of a list for a file. It can be canceled, and leaving the page cancels it. */
export function useListExport<Item, Format>({ load, most, onLoaded }: Options<Item, Format>) {
  const [loaded, setLoaded] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = useMutation({
    meta: { shown: true },
    mutationFn: (_: Format) => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      setLoaded(0);
      return allPages((cursor) => load(cursor, signal), most, signal, setLoaded);
    },
    onSuccess: onLoaded,
    onError: (error) => (stop.current.signal.aborted ? toast(common.exportCanceled) : toastError(error)),
  });
  return { isRunning: run.isPending, loaded, start: run.mutate, cancel: () => stop.current.abort() };
}
