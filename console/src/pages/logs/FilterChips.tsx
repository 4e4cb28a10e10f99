import { X } from 'lucide-react';
import { words } from '@/lib/format';
import { messages } from '@/messages/logs';
import { type Condition, conditionsOf, withConditions } from './conditions';
import type { LogFilters } from './filters';

const text = messages.chips;
const IN_WORDS = ['decision', 'outcome', 'risk', 'guardrail', 'mark'];

/** The conditions on the shown entries. Each can be turned around or removed. */
export function FilterChips({ filters, onChange }: { filters: LogFilters; onChange: (filters: LogFilters) => void }) {
  const conditions = conditionsOf(filters);
  if (conditions.length === 0) return null;
  const replace = (old: Condition, by: Condition[]) =>
    onChange(
      withConditions(
        filters,
        conditions.flatMap((one) => (one === old ? by : [one])),
      ),
    );
  return (
    <ul aria-label={text.label} className="flex flex-wrap gap-1.5">
      {conditions.map((one) => {
        const { name, value, isNot } = one;
        const shown = IN_WORDS.includes(name) ? words(value) : value;
        const field = text.names[name];
        return (
          <li
            key={`${name} ${isNot} ${value}`}
            className="flex items-center rounded-md border border-line bg-surface text-xs"
          >
            <span className="pl-2">{field}</span>
            <button
              type="button"
              aria-label={text.turn(field, shown, isNot)}
              onClick={() => replace(one, [{ ...one, isNot: !isNot }])}
              className="min-h-7 px-1.5 font-medium text-accent hover:underline"
            >
              {isNot ? text.isNot : text.is}
            </button>
            <span className="max-w-64 truncate font-medium">{shown}</span>
            <button
              type="button"
              aria-label={text.remove(field, shown)}
              onClick={() => replace(one, [])}
              className="grid min-h-7 place-items-center px-1.5 text-quiet hover:text-ink"
            >
              <X aria-hidden size={12} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
