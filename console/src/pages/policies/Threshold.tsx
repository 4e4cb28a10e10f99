import { fill } from '@/lib/fill';
import { percent } from '@/lib/format';
import { measuredAt, type OperatingPoint } from '@/lib/policy';
import { messages } from '@/messages/policies';
import { Field } from '@/ui/Field';

const text = messages.guardrail;

type Props = { name: string; value: number; points: OperatingPoint[]; onChange: (threshold: number) => void };

/** The threshold of a guardrail, with the measured recall and false positive rate. */
export function Threshold({ name, value, points, onChange }: Props) {
  const measured = measuredAt(points, value);
  const set = (text: string) => text !== '' && onChange(Math.min(1, Math.max(0, Number(text))));
  return (
    <div>
      <div className="flex items-center gap-3">
        <Field label={text.threshold(name)} hidden className="flex-1">
          {(wiring) => (
            <input
              {...wiring}
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={value}
              onChange={(event) => set(event.target.value)}
              className="w-full"
            />
          )}
        </Field>
        <Field label={text.thresholdNumber(name)} hidden className="w-18">
          {(wiring) => (
            <input
              {...wiring}
              type="number"
              min={0}
              max={1}
              step={0.01}
              value={value}
              onChange={(event) => set(event.target.value)}
              className="control tabular"
            />
          )}
        </Field>
      </div>
      {measured && (
        <p aria-live="polite" className="tabular mt-1 text-xs text-quiet">
          {fill(text.measured, {
            recall: (
              <strong className="text-ink">{measured.recall === null ? text.unknown : percent(measured.recall)}</strong>
            ),
            falsePositives: <strong className="text-ink">{percent(measured.falsePositives, 2)}</strong>,
          })}
        </p>
      )}
    </div>
  );
}
