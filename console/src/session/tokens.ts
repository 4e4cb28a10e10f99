import type { Schema } from '@/api/client';

/** The tokens of a session, and when the access token expires (milliseconds since 1970). */
export type Tokens = { access: string; refresh: string; until: number };

const KEY = 'guardengine.refresh';
// Tokens are renewed before they expire, so that none expires during a request.
const MARGIN = 30_000;

/** Converts the tokens of a server response. */
export function read(answer: Schema<'TokenSet'>): Tokens {
  const until = Date.now() + answer.expires_in * 1000 - MARGIN;
  return { access: answer.access_token, refresh: answer.refresh_token, until };
}

/** Returns the refresh token of this tab, which survives a reload but not closing the tab. */
export function stored(): string | null {
  return sessionStorage.getItem(KEY);
}

/** Stores the refresh token for a reload of this tab. The access token is never stored. */
export function store(tokens: Tokens | null): void {
  if (tokens === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, tokens.refresh);
}
