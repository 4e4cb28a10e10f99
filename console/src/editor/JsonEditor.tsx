import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { JsonEditorOptions, OpenEditor } from './jsonEditor';
import { type ListedProblem, Problems } from './Problems';

type Props = Omit<JsonEditorOptions, 'box' | 'onProblems'>;

/** An editor of JSON with completion and errors by a schema, which are also listed below it. `text` is read when it opens. Its code loads on first use. */
export function JsonEditor({ label, text, schemas, schema, isLocked, original, onChange }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | null>(null);
  const [problems, setProblems] = useState<ListedProblem[]>([]);
  const latest = useRef(text);
  const changed = useEffectEvent((next: string) => {
    latest.current = next;
    onChange(next);
  });
  useEffect(() => {
    let isShown = true;
    void import('./jsonEditor').then(({ openEditor }) => {
      if (!isShown || box.current === null) return;
      const options = { label, schemas, schema, isLocked, original, onChange: changed, onProblems: setProblems };
      editor.current = openEditor({ ...options, box: box.current, text: latest.current });
    });
    return () => {
      isShown = false;
      editor.current?.close();
      editor.current = null;
    };
  }, [label, schemas, schema, isLocked, original]);
  return (
    <div className="space-y-2">
      <div ref={box} className="h-[65dvh] min-h-80 overflow-hidden rounded-md border border-line bg-surface" />
      <Problems of={problems} onPick={(from) => editor.current?.goTo(from)} />
    </div>
  );
}
