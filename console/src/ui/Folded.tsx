import { common } from '@/messages/common';

const MOST_LETTERS = 160;
const SHOWN_LETTERS = 80;

/** A value that may be long: only its beginning is shown until it is opened. */
export function Folded({ text }: { text: string }) {
  if (text.length <= MOST_LETTERS && !text.includes('\n')) return <span className="wrap-anywhere">{text}</span>;
  const start = text.replace(/\s+/g, ' ').slice(0, SHOWN_LETTERS);
  return (
    <details className="group inline-block max-w-full align-top">
      <summary className="wrap-anywhere">
        <span className="group-open:hidden">{start}… </span>
        <span className="text-xs text-accent group-open:hidden">{common.showAll}</span>
        <span className="hidden text-xs text-accent group-open:inline">{common.showLess}</span>
      </summary>
      <span className="block font-mono text-xs whitespace-pre-wrap wrap-anywhere">{text}</span>
    </details>
  );
}
