import { Upload } from 'lucide-react';
import { Card } from '@/ui/Page';
import { lines, Terms } from './Terms';
import type { Draft } from './useDraft';

const LISTS = [
  ['blocked_keywords', 'Always blocked', 'A text with one of these is blocked, whatever else holds.'],
  [
    'allowed_keywords',
    'Always allowed',
    'A text with one of these passes what only guardrails would stop; masking stays.',
  ],
] as const;

/** The lists of words that decide before guardrails do. */
export function Keywords({ draft, locked }: { draft: Draft; locked: boolean }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {LISTS.map(([name, title, note]) => (
        <Card
          key={name}
          title={title}
          note={`${draft.policy[name].length} of 10,000`}
          actions={
            !locked && (
              <label className="inline-flex min-h-7 cursor-pointer items-center gap-1.5 rounded-md border border-line px-2 text-xs font-medium focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-sunken">
                <Upload aria-hidden size={13} />
                Import<span className="sr-only"> {title.toLowerCase()} keywords from a file</span>
                <input
                  type="file"
                  accept=".txt,.csv,text/plain,text/csv"
                  className="sr-only"
                  onChange={async (event) => {
                    const text = await event.target.files?.[0]?.text();
                    if (text !== undefined)
                      draft.set({ [name]: [...new Set([...draft.policy[name], ...lines(text)])] });
                  }}
                />
              </label>
            )
          }
        >
          <fieldset disabled={locked}>
            <p className="mb-2 text-xs text-quiet">{note}</p>
            <Terms
              label={`${title}, one a line; case and runs of blanks do not matter`}
              rows={14}
              values={draft.policy[name]}
              onChange={(values) => draft.set({ [name]: values })}
            />
          </fieldset>
        </Card>
      ))}
    </div>
  );
}
