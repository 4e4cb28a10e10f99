import { useState } from 'react';
import { count } from '@/lib/format';
import { classes } from '@/ui/classes';
import { ceiling } from './axis';
import { ValueAxis } from './ValueAxis';

/** A bar, its description, and the value of each series in it. */
export type Bar = { id: string; label: string; description: string; parts: Record<string, number> };
type Props = {
  name: string;
  bars: Bar[];
  series: string[];
  colorOf: (series: string) => string;
  nameOf: (series: string) => string;
  selected: string | null;
  onSelect: (id: string | null) => void;
  markers: { id: string; at: number; label: string }[];
};

const sum = (bar: Bar) => Object.values(bar.parts).reduce((total, part) => total + part, 0);

/** Stacked bars over time. Selecting a bar selects its time; `markers` are placed at a fraction of the width. */
export function StackedBars({ name, bars, series, colorOf, nameOf, selected, onSelect, markers }: Props) {
  const [at, setAt] = useState<Bar | null>(null);
  const top = ceiling(Math.max(4, ...bars.map(sum)));
  return (
    <figure aria-label={name} className="min-w-0">
      <div className="flex gap-2">
        <ValueAxis top={top} className="h-44 w-7" />
        <div
          className={classes(
            'relative h-44 min-w-0 flex-1 border-b border-line',
            'bg-[linear-gradient(to_bottom,var(--line)_1px,transparent_1px)] bg-[size:100%_50%]',
          )}
        >
          <ul className="absolute inset-0 flex items-stretch gap-px sm:gap-0.5">
            {bars.map((bar) => (
              <li
                key={bar.id}
                className="min-w-0 flex-1"
                onMouseEnter={() => setAt(bar)}
                onMouseLeave={() => setAt(null)}
                onFocus={() => setAt(bar)}
                onBlur={() => setAt(null)}
              >
                <button
                  type="button"
                  aria-label={bar.description}
                  aria-pressed={bar.id === selected}
                  className={classes(
                    'block h-full w-full focus-visible:outline-offset-0',
                    bar.id === selected && 'bg-accent-soft',
                  )}
                  onClick={() => onSelect(bar.id === selected ? null : bar.id)}
                >
                  <Stack bar={bar} top={top} series={series} colorOf={colorOf} />
                </button>
              </li>
            ))}
          </ul>
          {/* Only the dot of a marker takes the pointer. Its line crosses bars, which are buttons. */}
          {markers.map(({ id, at: share, label }) => (
            <span
              key={id}
              role="img"
              aria-label={label}
              title={label}
              className={classes(
                'pointer-events-none absolute inset-y-0 w-2 -translate-x-1/2 before:absolute before:inset-y-0',
                'before:left-1/2 before:border-l before:border-dashed before:border-accent',
                'after:pointer-events-auto after:absolute after:-top-1 after:left-0 after:size-2',
                'after:rounded-full after:bg-accent',
              )}
              style={{ left: `${share * 100}%` }}
            />
          ))}
        </div>
      </div>
      <div aria-hidden className="mt-1.5 flex justify-between pl-9 text-2xs text-quiet">
        <span>{bars[0]?.label}</span>
        <span className="max-sm:hidden">{bars[Math.floor(bars.length / 2)]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <figcaption
        className={classes(
          'mt-2 flex min-h-10 flex-wrap content-start items-center gap-x-4 gap-y-1 pl-9 text-xs text-quiet',
        )}
      >
        {at && <span className="font-medium text-ink">{at.description}</span>}
        {series
          .filter((one) => at === null || at.parts[one])
          .map((one) => (
            <span key={one} className="inline-flex items-center gap-1.5">
              <span aria-hidden className="size-2.5 rounded-sm" style={{ background: colorOf(one) }} />
              {nameOf(one)}
              {at && <span className="tabular text-ink">{count(at.parts[one] ?? 0)}</span>}
            </span>
          ))}
      </figcaption>
    </figure>
  );
}

function Stack({ bar, top, series, colorOf }: { bar: Bar; top: number } & Pick<Props, 'series' | 'colorOf'>) {
  return (
    <span aria-hidden className="flex h-full flex-col-reverse overflow-hidden rounded-t-sm hover:bg-sunken">
      {series.map(
        (one) =>
          bar.parts[one] !== undefined &&
          bar.parts[one] > 0 && (
            <span key={one} style={{ height: `${(bar.parts[one] / top) * 100}%`, background: colorOf(one) }} />
          ),
      )}
    </span>
  );
}
