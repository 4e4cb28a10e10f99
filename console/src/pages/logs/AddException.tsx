import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { policies } from '@/api/data';
import { words } from '@/lib/format';
import { isInSubject, type Triggered } from '@/lib/policy';
import { addToDraft } from '@/lib/drafts';
import { inKept } from '@/lib/spans';
import { useMay } from '@/session/me';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Input } from '@/ui/Field';
import type { WholeRow } from './useTail';

/** Words that let texts like this one through, put into a draft of the policy that stopped it. */
export function AddException({ row }: { row: WholeRow }) {
  const may = useMay();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const known = useQuery({ ...policies, enabled: may('FIREWALL_POLICIES:VIEW_POLICY') }).data;
  const stored = known?.find(({ policyId }) => policyId === row.policyId);
  const finds = row.triggered_guardrails as unknown as Triggered[];
  const first = finds[0];
  if (stored === undefined || first === undefined || !may('FIREWALL_POLICIES:UPDATE_POLICY')) return null;
  const add = (keyword: string) => {
    addToDraft(stored, (draft) => ({ allowed_keywords: [...new Set([...draft.allowed_keywords, keyword])] }));
    void navigate({ to: '/policies/$policyId', params: { policyId: stored.policyId }, search: { tab: 'keywords' } });
  };
  return (
    <>
      <Button small onClick={() => setOpen(true)}><ShieldOff aria-hidden size={13} />Add an exception</Button>
      {isOpen && (
        <Dialog title={`Exception from ${words(first.name).toLowerCase()}`} onClose={() => setOpen(false)} actions={<><Button onClick={() => setOpen(false)}>Cancel</Button><Button kind="primary" type="submit" form="exception">Put into a draft</Button></>}>
          <form id="exception" className="space-y-3 text-[13px]" onSubmit={(event) => { event.preventDefault(); add(String(new FormData(event.currentTarget).get('keyword')).trim()); }}>
            <Input label="Words to let through" name="keyword" required maxLength={200} defaultValue={found(row, first)} hint="Case and runs of blanks do not matter." />
            <p>A text with these words passes whatever guardrails alone would stop: {words(first.name).toLowerCase()} and every other one, not masking, blocked words or length. Choose words that only harmless texts hold; such texts are logged as “would block”.</p>
            <p className="text-quiet">Nothing changes until the draft of {stored.policyName} is published.</p>
          </form>
        </Dialog>
      )}
    </>
  );
}

/** What was found, where its place in the kept text is known. */
function found(row: WholeRow, { name, spans }: Triggered): string {
  const sent = spans.filter(isInSubject).map((span) => ({ name, span }));
  const place = row.text == null ? undefined : inKept(row.text, sent).marks[0]?.span;
  return place === undefined ? '' : [...(row.text ?? '')].slice(place.start, place.end).join('').trim();
}
