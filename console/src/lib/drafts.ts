import { type Policy, type StoredPolicy, writable } from './policy';

// Drafts are stored in this tab until they are published or discarded. A draft of an older version is ignored, because
// publishing it would undo newer changes.
const keyOf = ({ policyId, version }: Pick<StoredPolicy, 'policyId' | 'version'>) =>
  `guardengine.draft.${policyId}.${version}`;

/** Returns the draft of a stored policy; null if there is none. */
export const loadDraft = (stored: StoredPolicy): Policy | null =>
  JSON.parse(sessionStorage.getItem(keyOf(stored)) ?? 'null') as Policy | null;

/** Saves a draft. */
export const saveDraft = (stored: StoredPolicy, draft: Policy): void =>
  sessionStorage.setItem(keyOf(stored), JSON.stringify(draft));

/** Deletes a draft. */
export const deleteDraft = (stored: StoredPolicy): void => sessionStorage.removeItem(keyOf(stored));

/** Changes the draft of a stored policy, or creates one. */
export function addToDraft(stored: StoredPolicy, change: (draft: Policy) => Partial<Policy>): void {
  const draft = loadDraft(stored) ?? writable(stored);
  saveDraft(stored, { ...draft, ...change(draft) });
}
