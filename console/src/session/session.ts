import { useSyncExternalStore } from 'react';
import type { Schema } from '@/api/client';
import { toApiError } from '@/api/error';
import { common } from '@/messages/common';
import * as crossTab from './crossTab';
import { read, store, stored, type Tokens } from './tokens';

let tokens: Tokens | null = null;
let ending: string | null = null;
let renewal: Promise<string | null> | null = null;
const watchers = new Set<() => void>();

function set(next: Tokens | null): void {
  tokens = next;
  store(next);
  for (const watch of watchers) watch();
}

/** Calls back when the session begins, ends or is renewed. */
export function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether somebody is signed in. */
export const isSignedIn = (): boolean => tokens !== null;
export const useIsSignedIn = (): boolean => useSyncExternalStore(watch, isSignedIn);

/** Why the last session ended, for the sign-in page; told once. */
export function takeEnding(): string | null {
  const told = ending;
  ending = null;
  return told;
}

/** At the start: another tab's session, or this tab's own from before a reload. */
export async function restore(): Promise<void> {
  crossTab.listen(() => tokens, set);
  await crossTab.requestSession();
  const refresh = stored();
  if (tokens === null && refresh !== null) {
    tokens = { access: '', refresh, until: 0 };
    await renew('');
  }
}

/** An access token that is good for some time yet; null when nobody is signed in. */
export async function access(): Promise<string | null> {
  if (tokens === null) return null;
  return Date.now() < tokens.until ? tokens.access : renew(tokens.access);
}

/** Replaces the access token `old`, once for all who ask; null when the session is over. */
export function renew(old: string | null): Promise<string | null> {
  renewal ??= crossTab.withLock(() => exchange(old)).finally(() => (renewal = null));
  return renewal;
}

async function exchange(old: string | null): Promise<string | null> {
  if (tokens === null) return null;
  // While this tab waited for its turn, another one may have done it.
  if (tokens.access !== old) return tokens.access;
  const response = await post('/refresh', { refresh_token: tokens.refresh });
  // Too many at once, or out of order: the session may go on, the request that asked fails.
  if (response.status === 429 || response.status >= 500)
    throw toApiError(response, await response.json().catch(() => null));
  if (!response.ok) {
    await expired(response);
    return null;
  }
  begin((await response.json()) as Schema<'TokenSet'>);
  return tokens.access;
}

/** Goes on with these tokens, in every tab. */
export function begin(answer: Schema<'TokenSet'>): void {
  set(read(answer));
  crossTab.publish(tokens);
}

/** The session is over, for the reason that the server gives. */
export async function expired(response: Response): Promise<void> {
  if (tokens === null) return;
  const body = (await response.json().catch(() => null)) as { detail?: unknown } | null;
  end(typeof body?.detail === 'string' ? body.detail : common.sessionExpired);
}

function end(why: string | null): void {
  ending = why;
  set(null);
  crossTab.publish(null);
}

/** Ends the session, here, in every tab and on the server. */
export async function signOut(why: string | null = null): Promise<void> {
  const left = tokens;
  end(why);
  if (left !== null) await post('/logout', { refresh_token: left.refresh }, left.access).catch(() => null);
}

/** Posts JSON; the caller reads what came back. */
export function post(path: string, body: unknown, token?: string): Promise<Response> {
  const headers: HeadersInit = { 'Content-Type': 'application/json' };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}
