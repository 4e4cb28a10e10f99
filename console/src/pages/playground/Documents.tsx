import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messages } from '@/messages/playground';
import { Button, IconButton } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { Card } from '@/ui/Page';
import type { PolicyChoice } from './evaluate';
import { PolicyPicker } from './PolicyPicker';
import { EvaluationResult } from './SingleText';

type Props = {
  choice: PolicyChoice;
  onChoice: (choice: PolicyChoice) => void;
  text: string;
  onText: (text: string) => void;
};

/** Evaluates a prompt with untrusted content, such as retrieved documents and tool results. */
export function Documents({ choice, onChoice, text, onText }: Props) {
  const [documents, setDocuments] = useState<string[]>([messages.samples.document]);
  const change = (at: number, next: string) => setDocuments(documents.map((old, index) => (index === at ? next : old)));
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card className="self-start">
        <div className="space-y-3">
          <TextArea
            label={messages.prompt}
            rows={3}
            value={text}
            onChange={(event) => onText(event.target.value)}
            className="font-mono text-body"
          />
          {documents.map((document, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: documents have no identity besides their position.
            <div key={index} className="grid grid-cols-[1fr_auto] items-start gap-2">
              <TextArea
                label={messages.documents.document(index + 1)}
                rows={4}
                value={document}
                onChange={(event) => change(index, event.target.value)}
              />
              <IconButton
                label={messages.documents.remove(index + 1)}
                onClick={() => setDocuments(documents.filter((_, at) => at !== index))}
              >
                <Trash2 size={14} />
              </IconButton>
            </div>
          ))}
          <Button small onClick={() => setDocuments([...documents, ''])}>
            <Plus aria-hidden size={13} />
            {messages.documents.add}
          </Button>
          <PolicyPicker label={messages.policy} value={choice} onChange={(next) => next && onChoice(next)} />
        </div>
      </Card>
      <EvaluationResult
        choice={choice}
        subject={{ direction: 'input', text, documents: documents.filter((one) => one !== '') }}
      />
    </div>
  );
}
