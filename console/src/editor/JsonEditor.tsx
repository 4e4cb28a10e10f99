import { useEffect, useEffectEvent, useRef } from 'react';
import type { JsonEditorOptions } from './jsonEditor';

type Props = Omit<JsonEditorOptions, 'box'>;

/** An editor of JSON with completion and errors by a schema. `text` is read when it opens. Its code loads on first use. */
export function JsonEditor({ label, text, schemas, schema, isLocked, original, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(text);
  const changed = useEffectEvent((next: string) => {
    latest.current = next;
    onChange(next);
  });
  useEffect(() => {
    let close: (() => void) | undefined;
    let isShown = true;
    void import('./jsonEditor').then(({ openEditor }) => {
      if (!isShown || box.current === null) return;
      const options = { label, schemas, schema, isLocked, original, onChange: changed };
      close = openEditor({ ...options, box: box.current, text: latest.current });
    });
    return () => {
      isShown = false;
      close?.();
    };
  }, [label, schemas, schema, isLocked, original]);
  return <div ref={box} className="h-[65dvh] min-h-80 overflow-hidden rounded-md border border-line bg-surface" />;
}
