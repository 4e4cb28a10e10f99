import { useState } from 'react';
import { messages } from '@/messages/policies';
import { Input, Toggle } from '@/ui/Field';

const [MIN, MAX, DEFAULT] = [0.05, 10, 0.5];

/**
 * The false positive budget: the percentage of harmless texts that a guardrail may flag. The service sets thresholds
 * for it.
 */
export function Budget({ budget, onChange }: { budget: number | null; onChange: (budget: number | null) => void }) {
  const [text, setText] = useState(budget === null ? '' : percent(budget));
  const shown = budget !== null && Number(text) / 100 !== budget ? percent(budget) : text;
  return (
    <div className="space-y-2">
      <Toggle
        label={messages.general.budget}
        checked={budget !== null}
        onChange={(on) => {
          setText(String(DEFAULT));
          onChange(on ? DEFAULT / 100 : null);
        }}
      />
      {budget !== null && (
        <Input
          label={messages.general.budgetShare}
          type="number"
          min={MIN}
          max={MAX}
          step={0.05}
          value={shown}
          hint={messages.general.budgetHint}
          onChange={(event) => {
            setText(event.target.value);
            const share = Number(event.target.value) / 100;
            if (share >= MIN / 100 && share <= MAX / 100) onChange(share);
          }}
        />
      )}
    </div>
  );
}

const percent = (share: number) => String(Number((share * 100).toFixed(4)));
