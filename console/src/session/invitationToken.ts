const KEY = 'guardengine.invitation';

/** Returns the token of an invitation: from the address, or of this tab before a reload. Empty without one. */
export function invitationToken(): string {
  const token = location.hash.slice(1);
  if (token !== '') sessionStorage.setItem(KEY, token);
  return sessionStorage.getItem(KEY) ?? '';
}

/** Forgets the token of this tab. */
export function forgetInvitation(): void {
  sessionStorage.removeItem(KEY);
}
