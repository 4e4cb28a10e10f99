import { count } from '@/lib/format';
import { classes } from '@/ui/classes';
import { groupsOf, type Series } from './series';

type Props = { series: Series[]; hidden: readonly string[]; onChange: (hidden: string[]) => void };

/** The series with their totals. Each is a button that shows or hides it, and so is the name of a group. */
export function Legend({ series, hidden, onChange }: Props) {
  const set = (ids: string[], isShown: boolean) =>
    onChange(isShown ? hidden.filter((id) => !ids.includes(id)) : [...new Set([...hidden, ...ids])]);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 text-xs">
      {groupsOf(series).map(({ group, series: of }) => {
        const ids = of.map(({ id }) => id);
        const isShown = ids.some((id) => !hidden.includes(id));
        return (
          <div key={group} className="flex flex-wrap items-center gap-x-1 gap-y-1">
            {group !== '' && (
              <button
                type="button"
                aria-pressed={isShown}
                className={classes(BUTTON, 'font-semibold', !isShown && OFF)}
                onClick={() => set(ids, !isShown)}
              >
                {group}
              </button>
            )}
            {of.map(({ id, name, color, values }) => {
              const isOn = !hidden.includes(id);
              return (
                <button
                  key={id}
                  type="button"
                  aria-pressed={isOn}
                  className={classes(BUTTON, !isOn && OFF)}
                  onClick={() => set([id], !isOn)}
                >
                  <span
                    aria-hidden
                    className="size-2.5 rounded-sm"
                    style={isOn ? { background: color } : { boxShadow: `inset 0 0 0 1.5px ${color}` }}
                  />
                  {name} <span className="tabular">{count(values.reduce((sum, value) => sum + value, 0))}</span>
                </button>
              );
            })}
          </div>
        );
      })}
    </div>
  );
}

const BUTTON = 'inline-flex min-h-6 items-center gap-1.5 rounded px-1.5 text-ink hover:bg-sunken';
const OFF = 'text-quiet!';
