import { Plus, Trash2 } from 'lucide-react';
import { messages } from '@/messages/policies';
import { Button, IconButton } from '@/ui/Button';
import { TextArea } from '@/ui/Field';

/** Documents whose passages are detected in texts. */
export function ReferenceDocuments({
  texts,
  onChange,
}: {
  texts: string[];
  onChange: (texts: string[] | undefined) => void;
}) {
  const put = (next: string[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <div className="space-y-2">
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: documents have no identity besides their position.
        <div key={index} className="grid grid-cols-[1fr_auto] items-start gap-2">
          <TextArea
            label={messages.references.document(index + 1)}
            rows={3}
            value={text}
            onChange={(event) => put(texts.map((old, at) => (at === index ? event.target.value : old)))}
          />
          <IconButton
            label={messages.references.remove(index + 1)}
            onClick={() => put(texts.filter((_, at) => at !== index))}
          >
            <Trash2 size={14} />
          </IconButton>
        </div>
      ))}
      <Button small onClick={() => put([...texts, ''])}>
        <Plus aria-hidden size={13} />
        {messages.references.add}
      </Button>
      <p className="text-xs text-quiet">{messages.references.note}</p>
    </div>
  );
}
