import { type Policy, type StoredPolicy, writable } from './policy';

// Drafts of policies are kept in this tab until they are published or thrown away. One that was begun on an older
// version is none any more: it would undo what came since.
const keyOf = ({ policyId, version }: Pick<StoredPolicy, 'policyId' | 'version'>) =>
  `guardengine.draft.${policyId}.${version}`;

/** The draft of a stored policy, where one was begun. */
export const loadDraft = (stored: StoredPolicy): Policy | null =>
  JSON.parse(sessionStorage.getItem(keyOf(stored)) ?? 'null') as Policy | null;

/** Keeps a draft. */
export const saveDraft = (stored: StoredPolicy, draft: Policy): void =>
  sessionStorage.setItem(keyOf(stored), JSON.stringify(draft));

/** Throws a draft away. */
export const deleteDraft = (stored: StoredPolicy): void => sessionStorage.removeItem(keyOf(stored));

/** Changes the draft of a stored policy, and begins one where there is none. */
export function addToDraft(stored: StoredPolicy, change: (draft: Policy) => Partial<Policy>): void {
  const draft = loadDraft(stored) ?? writable(stored);
  saveDraft(stored, { ...draft, ...change(draft) });
}
