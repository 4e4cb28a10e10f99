import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { policies } from '@/api/data';
import { addToDraft } from '@/lib/drafts';
import { words } from '@/lib/format';
import { isInSubject, type Triggered } from '@/lib/policy';
import { inStoredText } from '@/lib/spans';
import { common } from '@/messages/common';
import { messages } from '@/messages/logs';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Input, Select } from '@/ui/Field';
import type { LogEntryDetails } from './useTail';

const text = messages.exception;
const EVERY = '';

/** Adds an exception for one or all guardrails to a draft of the policy that stopped the text. */
export function AddException({ entry }: { entry: LogEntryDetails }) {
  const may = usePermission();
  const navigate = useNavigate();
  const [picked, setPicked] = useState<string | null>(null);
  const known = useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data;
  const stored = known?.find(({ policyId }) => policyId === entry.policyId);
  const findings = entry.triggered_guardrails;
  const first = findings[0];
  if (stored === undefined || first === undefined || !may('FIREWALL_POLICIES:UPDATE_POLICY')) return null;
  // Policy rules and personal data cannot have exceptions.
  const names = findings
    .map(({ name }) => name)
    .filter((name) => name !== 'pii' && stored.guardrails.some(({ guardrail }) => guardrail === name));
  const add = (words: string) => {
    addToDraft(stored, (draft) =>
      picked === EVERY
        ? { allowed_keywords: added(draft.allowed_keywords, words) }
        : {
            guardrails: draft.guardrails.map((item) =>
              item.guardrail === picked ? { ...item, exceptions: added(item.exceptions ?? [], words) } : item,
            ),
          },
    );
    void navigate({
      to: '/policies/$policyId',
      params: { policyId: stored.policyId },
      search: { tab: picked === EVERY ? 'keywords' : 'guardrails' },
    });
  };
  return (
    <>
      <Button small onClick={() => setPicked(names[0] ?? EVERY)}>
        <ShieldOff aria-hidden size={13} />
        {text.button}
      </Button>
      {picked !== null && (
        <Dialog
          title={text.title(stored.policyName)}
          onClose={() => setPicked(null)}
          actions={
            <>
              <Button onClick={() => setPicked(null)}>{common.cancel}</Button>
              <Button kind="primary" type="submit" form="exception">
                {text.submit}
              </Button>
            </>
          }
        >
          <form
            id="exception"
            className="space-y-3 text-body"
            onSubmit={(event) => {
              event.preventDefault();
              add(String(new FormData(event.currentTarget).get('keyword')).trim());
            }}
          >
            <Select
              label={text.scope}
              value={picked}
              onChange={(event) => setPicked(event.target.value)}
              options={[...names.map((name) => [name, text.one(words(name))] as const), [EVERY, text.all]]}
            />
            <Input
              label={text.words}
              name="keyword"
              required
              maxLength={500}
              defaultValue={found(entry, first)}
              hint={text.wordsHint}
            />
            <p>
              {picked === EVERY ? text.effectAll : text.effectOne(words(picked))} {text.advice}
            </p>
            <p className="text-quiet">{text.draft(stored.policyName)}</p>
          </form>
        </Dialog>
      )}
    </>
  );
}

const added = (list: string[], words: string): string[] => [...new Set([...list, words])];

/** Returns the text of the finding, if its position in the stored text is known. */
function found(entry: LogEntryDetails, { name, spans }: Triggered): string {
  const sent = spans.filter(isInSubject).map((span) => ({ name, span }));
  const place = entry.text == null ? undefined : inStoredText(entry.text, sent).marks[0]?.span;
  return place === undefined ? '' : [...(entry.text ?? '')].slice(place.start, place.end).join('').trim();
}
