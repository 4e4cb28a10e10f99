import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '@/ui/Button';
import { TextArea } from '@/ui/Field';

/** Texts whose passages are recognised when they reappear. */
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
        <div key={index} className="grid grid-cols-[1fr_auto] items-start gap-2">
          <TextArea
            label={`Known text ${index + 1}`}
            rows={3}
            value={text}
            onChange={(event) => put(texts.map((old, at) => (at === index ? event.target.value : old)))}
          />
          <IconButton
            label={`Remove known text ${index + 1}`}
            onClick={() => put(texts.filter((_, at) => at !== index))}
          >
            <Trash2 size={14} />
          </IconButton>
        </div>
      ))}
      <Button small onClick={() => put([...texts, ''])}>
        <Plus aria-hidden size={13} />
        Known text
      </Button>
      <p className="text-xs text-quiet">Passages of these are recognised when they reappear.</p>
    </div>
  );
}
