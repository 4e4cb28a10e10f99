import type { ReactNode } from 'react';
import { FileButton } from '@/ui/FileButton';

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
      <FileButton accept={accept} multiple={multiple} onChoose={onChoose}>
        {label}
      </FileButton>
      <p className="text-xs text-quiet">{files.length === 0 ? hint : files.map(({ name }) => name).join(', ')}</p>
    </div>
  );
}
