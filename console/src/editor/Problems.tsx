import { messages as text } from '@/messages/editor';
import { ScrollArea } from '@/ui/ScrollArea';

/** A problem of a document: its line, what is wrong, and where it begins. */
export type ListedProblem = { line: number; message: string; from: number };

/** The problems of a document. Selecting one leads to its place. */
export function Problems({ of, onPick }: { of: ListedProblem[]; onPick: (from: number) => void }) {
  if (of.length === 0) return null;
  return (
    <ScrollArea label={text.problems} className="max-h-48 overflow-y-auto rounded-md border border-block/40">
      <h3 className="px-3 pt-2 text-xs font-semibold text-block">{text.problemCount(of.length)}</h3>
      <ul className="p-1">
        {of.map(({ line, message, from }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: problems are made anew with each change.
          <li key={index}>
            <button
              type="button"
              onClick={() => onPick(from)}
              className="flex w-full gap-3 rounded px-2 py-1 text-left text-body hover:bg-sunken"
            >
              <span className="tabular w-16 shrink-0 text-quiet">{text.line(line)}</span>
              <span className="wrap-anywhere">{message}</span>
            </button>
          </li>
        ))}
      </ul>
    </ScrollArea>
  );
}
