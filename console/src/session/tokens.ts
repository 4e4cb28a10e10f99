import type { Schema } from '@/api/client';

/** The tokens of a session, and when the access token runs out (milliseconds since 1970). */
export type Tokens = { access: string; refresh: string; until: number };

const KEY = 'guardengine.refresh';
// A token is renewed before it runs out, so that no request starts with one that ends on its way.
const MARGIN = 30_000;

/** Tokens as the server tells them. */
export function read(answer: Schema<'TokenSet'>): Tokens {
  const until = Date.now() + answer.expires_in * 1000 - MARGIN;
  return { access: answer.access_token, refresh: answer.refresh_token, until };
}

/** The refresh token of this tab, which outlives a reload and ends with the tab. */
export function stored(): string | null {
  return sessionStorage.getItem(KEY);
}

/** Keeps the refresh token for a reload of this tab; the access token is never stored. */
export function store(tokens: Tokens | null): void {
  if (tokens === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, tokens.refresh);
}
