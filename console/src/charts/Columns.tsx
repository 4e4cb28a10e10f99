import { ceiling, timeLabel } from './axis';
import { ValueAxis } from './ValueAxis';

/** A column, its value, and its description for the pointer. */
export type Column = { id: string; value: number; description: string };
type Props = { columns: Column[]; from: string; to: string; hasTimes: boolean; description: string };

/** Values over time from zero. `description` is the text for screen readers. */
export function Columns({ columns, from, to, hasTimes, description }: Props) {
  const top = ceiling(Math.max(4, ...columns.map(({ value }) => value)));
  return (
    <figure className="min-w-0">
      <div className="flex gap-2">
        <ValueAxis top={top} className="h-28 w-9" />
        <div
          role="img"
          aria-label={description}
          className={
            'flex h-28 min-w-0 flex-1 items-end gap-px border-b border-line ' +
            'bg-[linear-gradient(to_bottom,var(--line)_1px,transparent_1px)] bg-[size:100%_50%]'
          }
        >
          {columns.map(({ id, value, description: title }) => (
            <span key={id} title={title} className="group flex h-full min-w-0 flex-1 items-end hover:bg-sunken">
              <span
                className="w-full rounded-t-sm bg-accent"
                // A small value is still visible.
                style={{ height: value === 0 ? 0 : `max(1px, ${(value / top) * 100}%)` }}
              />
            </span>
          ))}
        </div>
      </div>
      <div aria-hidden className="mt-1.5 flex justify-between pl-11 text-2xs text-quiet">
        <span>{timeLabel(from, hasTimes)}</span>
        <span>{timeLabel(to, hasTimes)}</span>
      </div>
    </figure>
  );
}
