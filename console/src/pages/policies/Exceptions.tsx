import { Terms } from './Terms';

/** Words with which a text passes this guardrail alone. Most have none: they stay folded away. */
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
        Exceptions<span className="sr-only"> from {of}</span>: {values.length || 'none'}
      </summary>
      <div className="mt-2">
        <Terms
          label="A text with one of these passes this guardrail alone, one a line"
          values={values}
          onChange={onChange}
        />
      </div>
    </details>
  );
}
