import { percent } from '@/lib/format';
import { measuredAt, type OperatingPoint } from '@/lib/policy';
import { Field } from '@/ui/Field';

type Props = { name: string; value: number; points: OperatingPoint[]; onChange: (threshold: number) => void };

/** How sure a guardrail must be, and what was measured there: how much it finds, and how much it flags wrongly. */
export function Threshold({ name, value, points, onChange }: Props) {
  const measured = measuredAt(points, value);
  const set = (text: string) => text !== '' && onChange(Math.min(1, Math.max(0, Number(text))));
  return (
    <div>
      <div className="flex items-center gap-3">
        <Field label={`Threshold of ${name}`} hidden className="flex-1">
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
        <Field label={`Threshold of ${name} as a number`} hidden className="w-18">
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
          Measured here:{' '}
          {measured.recall === null ? (
            'recall unknown'
          ) : (
            <>
              finds <strong className="text-ink">{percent(measured.recall)}</strong>
            </>
          )}
          , flags <strong className="text-ink">{percent(measured.falsePositives, 2)}</strong> of harmless texts
        </p>
      )}
    </div>
  );
}
