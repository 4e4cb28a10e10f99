import { useState } from 'react';
import { Input, Toggle } from '@/ui/Field';

const [LEAST, MOST, USUAL] = [0.05, 10, 0.5];

/** The share of plain texts that a guardrail may flag, in percent; thresholds that nobody sets are picked for it. */
export function Budget({ budget, onChange }: { budget: number | null; onChange: (budget: number | null) => void }) {
  const [text, setText] = useState(budget === null ? '' : percent(budget));
  const shown = budget !== null && Number(text) / 100 !== budget ? percent(budget) : text;
  return (
    <div className="space-y-2">
      <Toggle
        label="Pick thresholds for a budget of false positives"
        checked={budget !== null}
        onChange={(on) => {
          setText(String(USUAL));
          onChange(on ? USUAL / 100 : null);
        }}
      />
      {budget !== null && (
        <Input
          label="False positives, percent of plain texts"
          type="number"
          min={LEAST}
          max={MOST}
          step={0.05}
          value={shown}
          hint="For each guardrail. When it is published, a new budget picks every threshold that this draft leaves as it was."
          onChange={(event) => {
            setText(event.target.value);
            const share = Number(event.target.value) / 100;
            if (share >= LEAST / 100 && share <= MOST / 100) onChange(share);
          }}
        />
      )}
    </div>
  );
}

const percent = (share: number) => String(Number((share * 100).toFixed(4)));
