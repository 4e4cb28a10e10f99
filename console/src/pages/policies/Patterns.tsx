import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '@/ui/Button';
import { Input, TextArea } from '@/ui/Field';
import { LiveMatches } from './LiveMatches';

type Pattern = { name: string; pattern: string };

/** An organisation's own patterns, tried on a text while they are written. */
export function Patterns({ patterns, onChange }: { patterns: Pattern[]; onChange: (patterns: Pattern[]) => void }) {
  const [sample, setSample] = useState('Order ACME-12345 was shipped, ACME-9 was not.');
  const change = (at: number, pattern: Partial<Pattern>) =>
    onChange(patterns.map((old, index) => (index === at ? { ...old, ...pattern } : old)));
  return (
    <div className="space-y-3">
      {patterns.map(({ name, pattern }, index) => (
        <div key={index} className="space-y-1.5">
          <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-end gap-2">
            <Input
              label={`Name of pattern ${index + 1}`}
              value={name}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            <Input
              label="Regular expression"
              value={pattern}
              spellCheck={false}
              className="font-mono text-xs"
              onChange={(event) => change(index, { pattern: event.target.value })}
            />
            <IconButton
              label={`Remove pattern ${index + 1}`}
              onClick={() => onChange(patterns.filter((_, at) => at !== index))}
            >
              <Trash2 size={14} />
            </IconButton>
          </div>
          <LiveMatches pattern={pattern} sample={sample} />
        </div>
      ))}
      <Button
        small
        onClick={() =>
          onChange([...patterns, { name: `pattern ${patterns.length + 1}`, pattern: '\\bACME-\\d{5}\\b' }])
        }
      >
        <Plus aria-hidden size={13} />
        Pattern
      </Button>
      {patterns.length > 0 && (
        <TextArea
          label="Text to try them on"
          rows={2}
          maxLength={10_000}
          value={sample}
          onChange={(event) => setSample(event.target.value)}
          className="font-mono text-xs"
        />
      )}
    </div>
  );
}
