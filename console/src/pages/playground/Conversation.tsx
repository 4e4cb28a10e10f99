import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { messages } from '@/messages/playground';
import { Button, IconButton } from '@/ui/Button';
import { Select, TextArea } from '@/ui/Field';
import { Card } from '@/ui/Page';
import type { PolicyChoice, Turn } from './evaluate';
import { PolicyPicker } from './PolicyPicker';
import { EvaluationResult } from './SingleText';

type Props = {
  choice: PolicyChoice;
  onChoice: (choice: PolicyChoice) => void;
  text: string;
  onText: (text: string) => void;
};

const texts = messages.conversation;

const ROLES = [
  ['system', texts.roles.system],
  ['user', texts.roles.user],
  ['assistant', texts.roles.assistant],
  ['tool', texts.roles.tool],
] as const;

/** Evaluates a prompt with earlier turns, which detects attacks that are split over turns. */
export function Conversation({ choice, onChoice, text, onText }: Props) {
  const [turns, setTurns] = useState<Turn[]>([
    { role: 'user', content: messages.samples.userTurn },
    { role: 'assistant', content: messages.samples.assistantTurn },
  ]);
  const change = (at: number, turn: Partial<Turn>) =>
    setTurns(turns.map((old, index) => (index === at ? { ...old, ...turn } : old)));
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <Card className="self-start">
        <div className="space-y-3">
          {turns.map((turn, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: turns have no identity besides their position.
            <div key={index} className="grid grid-cols-[7rem_1fr_auto] items-start gap-2">
              <Select
                label={texts.roleOf(index + 1)}
                hidden
                value={turn.role}
                options={ROLES}
                onChange={(event) => change(index, { role: event.target.value as Turn['role'] })}
              />
              <TextArea
                label={texts.turn(index + 1)}
                hidden
                rows={2}
                value={turn.content}
                onChange={(event) => change(index, { content: event.target.value })}
              />
              <IconButton
                label={texts.remove(index + 1)}
                onClick={() => setTurns(turns.filter((_, at) => at !== index))}
              >
                <Trash2 size={14} />
              </IconButton>
            </div>
          ))}
          <Button small onClick={() => setTurns([...turns, { role: 'user', content: '' }])}>
            <Plus aria-hidden size={13} />
            {texts.add}
          </Button>
          <TextArea
            label={messages.prompt}
            rows={3}
            value={text}
            onChange={(event) => onText(event.target.value)}
            className="font-mono text-body"
          />
          <PolicyPicker label={messages.policy} value={choice} onChange={(next) => next && onChoice(next)} />
        </div>
      </Card>
      <EvaluationResult
        choice={choice}
        subject={{ direction: 'input', text, history: turns.filter(({ content }) => content !== '') }}
      />
    </div>
  );
}
