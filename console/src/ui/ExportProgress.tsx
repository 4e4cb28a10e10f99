import { common } from '@/messages/common';
import { Button } from './Button';

type Props = {
  /** How far the export is. */
  text: string;
  /** The name of the export. */
  name: string;
  onCancel: () => void;
};

/** The progress of an export, with a button that cancels it. */
export function ExportProgress({ text, name, onCancel }: Props) {
  return (
    <span role="status" className="tabular inline-flex items-center gap-2 text-xs text-quiet">
      {text}
      <Button small onClick={onCancel}>
        {common.cancel}
        <span className="sr-only"> {name}</span>
      </Button>
    </span>
  );
}
