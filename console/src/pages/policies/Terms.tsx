import { useState } from 'react';
import { TextArea } from '@/ui/Field';

/** Returns the trimmed lines of a text without empty lines and duplicates. */
export const lines = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

/** A list with one entry per line. */
export function Terms({
  label,
  values,
  onChange,
  rows = 3,
  hidden,
}: {
  label: string;
  values: string[];
  onChange: (values: string[]) => void;
  rows?: number;
  hidden?: boolean;
}) {
  const [text, setText] = useState(values.join('\n'));
  // Typed text stays as it is. Values from elsewhere, such as an import or a discarded draft, replace it.
  const shown = lines(text).join('\n') === values.join('\n') ? text : values.join('\n');
  return (
    <TextArea
      label={label}
      hidden={hidden}
      rows={rows}
      value={shown}
      onChange={(event) => {
        setText(event.target.value);
        onChange(lines(event.target.value));
      }}
      className="font-mono text-xs"
    />
  );
}
