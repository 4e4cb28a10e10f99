import { useState } from 'react';
import { changes } from '@/lib/diff';
import { deleteDraft, loadDraft, saveDraft } from '@/lib/drafts';
import { type Policy, type StoredPolicy, writable } from '@/lib/policy';

/** A draft of a policy, stored in this tab until it is published or discarded. */
export type Draft = {
  policy: Policy;
  /** The text of the JSON editor while it is no policy; null while it is. */
  unread: string | null;
  keepUnread: (json: string | null) => void;
  changed: number;
  set: (change: Partial<Policy>) => void;
  replace: (policy: Policy) => void;
  discard: () => void;
};

/** Returns the draft of a stored policy. */
export function useDraft(stored: StoredPolicy): Draft {
  const [policy, setPolicy] = useState<Policy>(() => loadDraft(stored) ?? writable(stored));
  const [unread, keepUnread] = useState<string | null>(null);
  const replace = (next: Policy) => {
    keepUnread(null);
    setPolicy(next);
    saveDraft(stored, next);
  };
  const set = (change: Partial<Policy>) => replace({ ...policy, ...change });
  const discard = () => {
    keepUnread(null);
    deleteDraft(stored);
    setPolicy(writable(stored));
  };
  return { policy, unread, keepUnread, changed: changes(writable(stored), policy).length, set, replace, discard };
}
