import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';

type Props = {
  label: string;
  accept: string;
  multiple?: boolean;
  files: File[];
  onChoose: (files: File[]) => void;
  hint: ReactNode;
};

/** Selects local files. */
export function Files({ label, accept, multiple = false, files, onChoose, hint }: Props) {
  return (
    <div className="space-y-1">
      <label className="inline-flex min-h-8.5 items-center gap-1.5 rounded-md border border-line px-3 text-body font-medium focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-sunken">
        <Upload aria-hidden size={14} />
        {label}
        <input
          type="file"
          accept={accept}
          multiple={multiple}
          className="sr-only"
          onChange={(event) => onChoose([...(event.target.files ?? [])])}
        />
      </label>
      <p className="text-xs text-quiet">{files.length === 0 ? hint : files.map(({ name }) => name).join(', ')}</p>
    </div>
  );
}
