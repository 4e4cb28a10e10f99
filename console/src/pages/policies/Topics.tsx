import { Plus, Trash2 } from 'lucide-react';
import type { Schema } from '@/api/client';
import { percent } from '@/lib/format';
import { messages } from '@/messages/policies';
import { Button, IconButton } from '@/ui/Button';
import { Input } from '@/ui/Field';
import { Terms } from './Terms';

const text = messages.topics;

type Topic = Schema<'WrittenTopic'>;

/** Topics, each with its examples. */
export function Topics({ topics, onChange }: { topics: Topic[]; onChange: (topics: Topic[] | undefined) => void }) {
  const put = (next: Topic[]) => onChange(next.length === 0 ? undefined : next);
  const change = (at: number, topic: Partial<Topic>) =>
    put(topics.map((old, index) => (index === at ? { ...old, expected_false_positives: undefined, ...topic } : old)));
  return (
    <div className="space-y-4">
      <p className="text-xs text-quiet">{text.note}</p>
      {topics.map((topic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name of a topic changes while it is typed.
        <fieldset key={index} aria-label={text.topic(index + 1)} className="space-y-2 border-t border-line pt-3">
          <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-end gap-2">
            <Input
              label={text.name}
              maxLength={100}
              value={topic.name}
              onChange={(event) => change(index, { name: event.target.value })}
            />
            <Input
              label={text.description}
              maxLength={1000}
              value={topic.description ?? ''}
              onChange={(event) => change(index, { description: event.target.value || undefined })}
            />
            <IconButton label={text.remove(index + 1)} onClick={() => put(topics.filter((_, at) => at !== index))}>
              <Trash2 size={14} />
            </IconButton>
          </div>
          <Terms
            label={text.examples}
            rows={6}
            values={topic.examples}
            onChange={(examples) => change(index, { examples })}
          />
          <Terms
            label={text.counterexamples}
            values={topic.counterexamples ?? []}
            onChange={(counterexamples) => change(index, { counterexamples })}
          />
          <p className="text-xs text-quiet">{expected(topic.expected_false_positives)}</p>
        </fieldset>
      ))}
      <Button small onClick={() => put([...topics, { name: text.defaultName(topics.length + 1), examples: [] }])}>
        <Plus aria-hidden size={13} />
        {text.add}
      </Button>
    </div>
  );
}

const expected = (share: number | null | undefined) =>
  share === null || share === undefined ? text.unmeasured : text.expected(percent(share, 2));
