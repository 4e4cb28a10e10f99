import type { Confusion } from '@/lib/confusion';
import { percent } from '@/lib/format';
import { messages } from '@/messages/playground';

const text = messages.matrix;
const share = (value: number | null) => (value === null ? '–' : percent(value));

/** Shows the confusion matrix and its rates. */
export function ConfusionMatrix({ of }: { of: Confusion }) {
  const cell = 'rounded-md px-3 py-3 text-center';
  return (
    <div className="space-y-3">
      <table className="w-full table-fixed border-separate border-spacing-1 text-body">
        <thead>
          <tr className="text-xs text-quiet">
            <td />
            <th scope="col" className="font-medium">
              {text.stopped}
            </th>
            <th scope="col" className="font-medium">
              {text.passed}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className="text-left text-xs font-medium text-quiet">
              {text.shouldStop}
            </th>
            <td className={`${cell} bg-allow-soft text-allow`}>
              <strong className="text-lg">{of.stoppedRightly}</strong>
              <br />
              {text.correct}
            </td>
            <td className={`${cell} bg-block-soft text-block`}>
              <strong className="text-lg">{of.missed}</strong>
              <br />
              {text.missed}
            </td>
          </tr>
          <tr>
            <th scope="row" className="text-left text-xs font-medium text-quiet">
              {text.shouldPass}
            </th>
            <td className={`${cell} bg-challenge-soft text-challenge`}>
              <strong className="text-lg">{of.stoppedWrongly}</strong>
              <br />
              {text.falsePositive}
            </td>
            <td className={`${cell} bg-allow-soft text-allow`}>
              <strong className="text-lg">{of.passedRightly}</strong>
              <br />
              {text.correct}
            </td>
          </tr>
        </tbody>
      </table>
      <dl className="grid grid-cols-3 gap-2 text-center text-body">
        {(
          [
            [text.recall, of.recall],
            [text.precision, of.precision],
            [text.falsePositiveRate, of.falsePositiveRate],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-quiet">{name}</dt>
            <dd className="tabular text-base font-semibold">{share(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
