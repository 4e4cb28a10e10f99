import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { policies } from '@/api/data';
import { addToDraft } from '@/lib/drafts';
import { words } from '@/lib/format';
import { isInSubject, type Triggered } from '@/lib/policy';
import { inKept } from '@/lib/spans';
import { usePermission } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Input, Select } from '@/ui/Field';
import type { WholeRow } from './useTail';

const EVERY = '';

/** Words that let texts like this one through a guardrail, or through every one, put into a draft of the policy that stopped it. */
export function AddException({ row }: { row: WholeRow }) {
  const may = usePermission();
  const navigate = useNavigate();
  const [picked, setPicked] = useState<string | null>(null);
  const known = useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data;
  const stored = known?.find(({ policyId }) => policyId === row.policyId);
  const finds = row.triggered_guardrails as unknown as Triggered[];
  const first = finds[0];
  if (stored === undefined || first === undefined || !may('FIREWALL_POLICIES:UPDATE_POLICY')) return null;
  // Rules of a policy and personal data have no exceptions of their own.
  const names = finds
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
        Add an exception
      </Button>
      {picked !== null && (
        <Dialog
          title={`Exception in ${stored.policyName}`}
          onClose={() => setPicked(null)}
          actions={
            <>
              <Button onClick={() => setPicked(null)}>Cancel</Button>
              <Button kind="primary" type="submit" form="exception">
                Put into a draft
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
              label="From"
              value={picked}
              onChange={(event) => setPicked(event.target.value)}
              options={[...names.map((name) => [name, `${words(name)} alone`] as const), [EVERY, 'every guardrail']]}
            />
            <Input
              label="Words to let through"
              name="keyword"
              required
              maxLength={500}
              defaultValue={found(row, first)}
              hint="Case and runs of blanks do not matter."
            />
            <p>
              {picked === EVERY
                ? 'A text with these words passes whatever guardrails alone would stop; not masking, blocked words or length.'
                : `A text with these words passes ${words(picked).toLowerCase()}; every other guardrail goes on stopping it.`}{' '}
              Choose words that only harmless texts hold. Such texts are logged as “would block”.
            </p>
            <p className="text-quiet">Nothing changes until the draft of {stored.policyName} is published.</p>
          </form>
        </Dialog>
      )}
    </>
  );
}

const added = (list: string[], words: string): string[] => [...new Set([...list, words])];

/** What was found, where its place in the kept text is known. */
function found(row: WholeRow, { name, spans }: Triggered): string {
  const sent = spans.filter(isInSubject).map((span) => ({ name, span }));
  const place = row.text == null ? undefined : inKept(row.text, sent).marks[0]?.span;
  return place === undefined ? '' : [...(row.text ?? '')].slice(place.start, place.end).join('').trim();
}
