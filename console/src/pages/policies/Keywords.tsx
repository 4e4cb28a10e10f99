import { Upload } from 'lucide-react';
import { messages } from '@/messages/policies';
import { Card } from '@/ui/Page';
import { lines, Terms } from './Terms';
import type { Draft } from './useDraft';

const text = messages.keywords;
const LISTS = [
  ['blocked_keywords', text.blockList, text.blockNote],
  ['allowed_keywords', text.allowList, text.allowNote],
] as const;

/** The block list and the allow list, which apply before guardrails. */
export function Keywords({ draft, locked }: { draft: Draft; locked: boolean }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {LISTS.map(([name, title, note]) => (
        <Card
          key={name}
          title={title}
          note={text.count(draft.policy[name].length)}
          actions={
            !locked && (
              <label className="inline-flex min-h-7 cursor-pointer items-center gap-1.5 rounded-md border border-line px-2 text-xs font-medium focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-sunken">
                <Upload aria-hidden size={13} />
                {text.import}
                <span className="sr-only">{text.importInto(title)}</span>
                <input
                  type="file"
                  accept=".txt,.csv,text/plain,text/csv"
                  className="sr-only"
                  onChange={async (event) => {
                    const file = await event.target.files?.[0]?.text();
                    if (file !== undefined)
                      draft.set({ [name]: [...new Set([...draft.policy[name], ...lines(file)])] });
                  }}
                />
              </label>
            )
          }
        >
          <fieldset disabled={locked}>
            <p className="mb-2 text-xs text-quiet">{note}</p>
            <Terms
              label={text.label(title)}
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
