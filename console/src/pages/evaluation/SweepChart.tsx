import type { Schema } from '@/api/client';
import { decimal, percent } from '@/lib/format';
import { messages } from '@/messages/evaluation';

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [720, 220, 40, 10, 24];
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const x = (threshold: number) => LEFT + threshold * (WIDTH - LEFT - 24);
const y = (share: number) => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);

type Point = Schema<'SweepPoint'>;
type Props = { label: string; points: Point[]; current: number; chosen: number };

/** Recall and false positive rate by threshold, with the current threshold and the chosen one. */
export function SweepChart({ label, points, current, chosen }: Props) {
  return (
    <figure className="max-w-3xl">
      <svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="h-auto w-full text-quiet">
        {TICKS.map((tick) => (
          <g key={tick} className="fill-current text-[11px]">
            <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
              {percent(tick, 0)}
            </text>
            <text x={x(tick)} y={HEIGHT - 6} textAnchor="middle">
              {decimal(tick)}
            </text>
          </g>
        ))}
        <line x1={x(current)} x2={x(current)} y1={y(0)} y2={y(1)} strokeDasharray="4 4" className="stroke-edge" />
        <line x1={x(chosen)} x2={x(chosen)} y1={y(0)} y2={y(1)} strokeWidth={2} className="stroke-accent" />
        <Line points={points} of={({ recall }) => recall} className="stroke-allow" />
        <Line points={points} of={({ false_positive_rate }) => false_positive_rate} className="stroke-block" />
      </svg>
      <figcaption className="flex gap-4 text-xs text-quiet">
        <Key className="bg-allow">{messages.report.recall}</Key>
        <Key className="bg-block">{messages.report.falsePositiveRate}</Key>
      </figcaption>
    </figure>
  );
}

type LineProps = { points: Point[]; of: (point: Point) => number | null | undefined; className: string };

function Line({ points, of, className }: LineProps) {
  const drawn = points.flatMap((point) => {
    const share = of(point);
    return share == null ? [] : [`${x(point.threshold)},${y(share)}`];
  });
  return <polyline points={drawn.join(' ')} fill="none" strokeWidth={2} className={className} />;
}

function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className={`h-0.5 w-4 ${className}`} />
      {children}
    </span>
  );
}
