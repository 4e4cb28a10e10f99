import { messages } from '@/messages/policies';
import { FileButton } from '@/ui/FileButton';
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
              <FileButton
                small
                accept=".txt,.csv,text/plain,text/csv"
                onChoose={async ([file]) => {
                  if (file !== undefined)
                    draft.set({ [name]: [...new Set([...draft.policy[name], ...lines(await file.text())])] });
                }}
              >
                {text.import}
                <span className="sr-only">{text.importInto(title)}</span>
              </FileButton>
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
