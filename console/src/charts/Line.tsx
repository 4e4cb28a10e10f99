import { ceiling, timeLabel } from './axis';
import { ValueAxis } from './ValueAxis';

type Point = { at: number; value: number };
type Props = { points: Point[]; from: number; to: number; description: string };

const DAY = 86_400_000;

/**
 * A value over time, which stays the same until the next point. The axis begins at zero. `description` is the text for
 * screen readers.
 */
export function Line({ points, from, to, description }: Props) {
  const first = points[0];
  if (first === undefined || to <= from) return null;
  const top = ceiling(Math.max(4, ...points.map(({ value }) => value)));
  const x = (at: number) => ((Math.min(Math.max(at, from), to) - from) / (to - from)) * 100;
  const y = (value: number) => 100 - (Math.max(0, value) / top) * 100;
  const steps = points.flatMap(({ at, value }, index) => {
    const before = points[index - 1];
    return [...(before ? [`${x(at)},${y(before.value)}`] : []), `${x(at)},${y(value)}`];
  });
  const line = [...steps, `100,${y(points.at(-1)?.value ?? 0)}`].join(' ');
  const hasTimes = to - from < 3 * DAY;
  return (
    <figure className="min-w-0">
      <div className="flex gap-2">
        <ValueAxis top={top} className="h-28 w-9" />
        <svg
          role="img"
          aria-label={description}
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="h-28 min-w-0 flex-1 border-b border-line"
        >
          <path d="M0 0H100M0 50H100" stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          <polygon points={`${x(first.at)},100 ${line} 100,100`} fill="var(--accent-soft)" />
          <polyline
            points={line}
            fill="none"
            stroke="var(--accent)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
      <div aria-hidden className="mt-1.5 flex justify-between pl-11 text-2xs text-quiet">
        <span>{timeLabel(from, hasTimes)}</span>
        <span>{timeLabel(to, hasTimes)}</span>
      </div>
    </figure>
  );
}
