import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes';

type Props = {
  accept: string;
  onChoose: (files: File[]) => void;
  multiple?: boolean;
  small?: boolean;
  children: ReactNode;
};

/** A button that selects local files. */
export function FileButton({ accept, onChoose, multiple = false, small = false, children }: Props) {
  return (
    <label
      className={classes(
        'inline-flex cursor-pointer items-center gap-1.5 rounded-md border border-line font-medium hover:bg-sunken',
        'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent',
        small ? 'min-h-7 px-2 text-xs' : 'min-h-8.5 px-3 text-body',
      )}
    >
      <Upload aria-hidden size={small ? 13 : 14} />
      {children}
      <input
        type="file"
        accept={accept}
        multiple={multiple}
        className="sr-only"
        onChange={(event) => onChoose([...(event.target.files ?? [])])}
      />
    </label>
  );
}
