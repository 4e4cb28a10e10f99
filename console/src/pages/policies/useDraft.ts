import { useState } from 'react';
import { changes } from '@/lib/diff';
import { type Policy, type StoredPolicy, writable } from '@/lib/policy';

/** A draft of a policy: kept in this tab until it is published or thrown away. */
export type Draft = { policy: Policy; changed: number; set: (change: Partial<Policy>) => void; discard: () => void };

/** The draft of a stored policy. One that was begun on an older version is thrown away: it would undo what came since. */
export function useDraft(stored: StoredPolicy): Draft {
  const key = `guardengine.draft.${stored.policyId}.${stored.version}`;
  const [policy, setPolicy] = useState<Policy>(() => kept(key) ?? writable(stored));
  const set = (change: Partial<Policy>) => {
    const next = { ...policy, ...change };
    setPolicy(next);
    sessionStorage.setItem(key, JSON.stringify(next));
  };
  const discard = () => {
    sessionStorage.removeItem(key);
    setPolicy(writable(stored));
  };
  return { policy, changed: changes(writable(stored), policy).length, set, discard };
}

const kept = (key: string): Policy | null => JSON.parse(sessionStorage.getItem(key) ?? 'null') as Policy | null;
