import { messages } from '@/messages/policies';
import { Terms } from './Terms';

const text = messages.guardrail;

/** The phrases that skip one guardrail. Closed while there are none. */
export function Exceptions({
  of,
  values,
  onChange,
}: {
  of: string;
  values: string[];
  onChange: (values: string[]) => void;
}) {
  return (
    <details className="text-xs" open={values.length > 0}>
      <summary className="cursor-pointer text-quiet">
        {text.exceptions}
        <span className="sr-only">{text.exceptionsFor(of)}</span>
        {text.exceptionCount(values.length)}
      </summary>
      <div className="mt-2">
        <Terms label={text.exceptionsLabel} values={values} onChange={onChange} />
      </div>
    </details>
  );
}
