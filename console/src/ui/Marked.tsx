import { words } from '@/lib/format';
import { type Mark, pieces } from '@/lib/spans';
import { classes } from './classes';

/** A text with highlighted findings. */
export function Marked({ text, marks }: { text: string; marks: Mark[] }) {
  return (
    <p className="font-mono text-body leading-relaxed break-words whitespace-pre-wrap">
      {pieces(text, marks).map(({ text: piece, marks: names }, index) =>
        names.length === 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position.
          <span key={index}>{piece}</span>
        ) : (
          <mark
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position.
            key={index}
            title={names.map(words).join(', ')}
            className={classes(
              'rounded-sm border-b-2 px-0.5',
              names.every((name) => name === 'pii')
                ? 'border-mask bg-mask-soft text-mask'
                : 'border-block bg-block-soft text-block',
            )}
          >
            {piece}
          </mark>
        ),
      )}
    </p>
  );
}
