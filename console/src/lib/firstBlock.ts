const KEY = 'guardengine.blocked';

const known = (): string[] => {
  const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
  return Array.isArray(kept) ? kept.map(String) : [];
};

/** Returns whether a dry run in this browser was blocked in the organization. Dry runs are not in the log. */
export const hasBlockedOnce = (organization: string): boolean => known().includes(organization);

/** Remembers that a dry run was blocked in the organization. */
export function noteBlocked(organization: string): void {
  if (!hasBlockedOnce(organization)) localStorage.setItem(KEY, JSON.stringify([...known(), organization]));
}
