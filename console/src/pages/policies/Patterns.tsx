import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messages } from '@/messages/policies';
import { Button, IconButton } from '@/ui/Button';
import { Input, TextArea } from '@/ui/Field';
import { LiveMatches } from './LiveMatches';

const text = messages.patterns;

type Pattern = { name: string; pattern: string };

/** Custom patterns, tested on a sample while they are typed. */
export function Patterns({ patterns, onChange }: { patterns: Pattern[]; onChange: (patterns: Pattern[]) => void }) {
  const [sample, setSample] = useState<string>(text.sampleText);
  const change = (at: number, pattern: Partial<Pattern>) =>
    onChange(patterns.map((old, index) => (index === at ? { ...old, ...pattern } : old)));
  return (
    <div className="space-y-3">
      {patterns.map(({ name, pattern }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name of a pattern changes while it is typed.
        <div key={index} className="space-y-1.5">
          <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-end gap-2">
            <Input
              label={text.name(index + 1)}
              value={name}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            <Input
              label={text.expression}
              value={pattern}
              spellCheck={false}
              className="font-mono text-xs"
              onChange={(event) => change(index, { pattern: event.target.value })}
            />
            <IconButton
              label={text.remove(index + 1)}
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
          onChange([...patterns, { name: text.defaultName(patterns.length + 1), pattern: '\\bACME-\\d{5}\\b' }])
        }
      >
        <Plus aria-hidden size={13} />
        {text.add}
      </Button>
      {patterns.length > 0 && (
        <TextArea
          label={text.sample}
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
