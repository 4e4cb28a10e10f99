import type { Schema } from '@/api/client';
import { messages } from '@/messages/policies';

const text = messages.guardrail;

type Source = Schema<'WrittenSource'>;
const SOURCES = Object.keys(text.sources) as Source[];

/** The sources that a guardrail reads. Closed while they are its usual ones. */
export function AppliesTo({
  of,
  usual,
  value,
  onChange,
}: {
  of: string;
  usual: string[];
  value: Source[] | undefined;
  onChange: (value: Source[] | undefined) => void;
}) {
  const chosen = value ?? SOURCES.filter((source) => usual.includes(source));
  const toggle = (source: Source) => {
    const next = SOURCES.filter((one) => (one === source ? !chosen.includes(one) : chosen.includes(one)));
    if (next.length > 0) onChange(isUsual(next, usual) ? undefined : next);
  };
  return (
    <details className="text-xs" open={value !== undefined}>
      <summary className="cursor-pointer text-quiet">
        {text.appliesTo}
        <span className="sr-only">{text.appliesToFor(of)}</span>:{' '}
        {chosen.map((source) => text.sources[source]).join(', ')}
      </summary>
      <div className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
        {SOURCES.map((source) => (
          <label key={source} className="inline-flex items-center gap-1.5">
            <input type="checkbox" checked={chosen.includes(source)} onChange={() => toggle(source)} />
            {text.sources[source]}
          </label>
        ))}
      </div>
    </details>
  );
}

const isUsual = (sources: string[], usual: string[]) =>
  sources.length === usual.length && sources.every((source) => usual.includes(source));
