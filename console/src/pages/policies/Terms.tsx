import { useState } from 'react';
import { TextArea } from '@/ui/Field';

/** Lines of a text, without blanks around them, without empty ones, each once. */
export const lines = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

/** A list that is written one entry a line. */
export function Terms({
  label,
  values,
  onChange,
  rows = 3,
}: {
  label: string;
  values: string[];
  onChange: (values: string[]) => void;
  rows?: number;
}) {
  const [text, setText] = useState(values.join('\n'));
  // What is typed stays as it is typed; what comes from elsewhere (a discarded draft, an import) replaces it.
  const shown = lines(text).join('\n') === values.join('\n') ? text : values.join('\n');
  return (
    <TextArea
      label={label}
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
