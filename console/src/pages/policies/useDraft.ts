import { useState } from 'react';
import { changes } from '@/lib/diff';
import { deleteDraft, loadDraft, saveDraft } from '@/lib/drafts';
import { type Policy, type StoredPolicy, writable } from '@/lib/policy';

/** A draft of a policy, stored in this tab until it is published or discarded. */
export type Draft = {
  policy: Policy;
  changed: number;
  set: (change: Partial<Policy>) => void;
  replace: (policy: Policy) => void;
  discard: () => void;
};

/** Returns the draft of a stored policy. */
export function useDraft(stored: StoredPolicy): Draft {
  const [policy, setPolicy] = useState<Policy>(() => loadDraft(stored) ?? writable(stored));
  const replace = (next: Policy) => {
    setPolicy(next);
    saveDraft(stored, next);
  };
  const set = (change: Partial<Policy>) => replace({ ...policy, ...change });
  const discard = () => {
    deleteDraft(stored);
    setPolicy(writable(stored));
  };
  return { policy, changed: changes(writable(stored), policy).length, set, replace, discard };
}
