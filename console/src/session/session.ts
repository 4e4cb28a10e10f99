import { useSyncExternalStore } from 'react';
import type { Schema } from '@/api/client';
import { fetchNoted } from '@/api/connection';
import { toApiError } from '@/api/error';
import { at } from '@/lib/base';
import { common } from '@/messages/common';
import * as crossTab from './crossTab';
import { read, store, stored, type Tokens } from './tokens';

// Seconds: the default window of the rate limit.
const MOST_PATIENCE = 60;

let tokens: Tokens | null = null;
let ending: string | null = null;
let renewal: Promise<string | null> | null = null;
const watchers = new Set<() => void>();

function set(next: Tokens | null): void {
  tokens = next;
  store(next);
  for (const watch of watchers) watch();
}

/** Calls `watcher` when the session starts, ends or is renewed. */
export function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Whether a user is signed in. */
export const isSignedIn = (): boolean => tokens !== null;
export const useIsSignedIn = (): boolean => useSyncExternalStore(watch, isSignedIn);

/** Returns once why the last session ended, for the sign-in page. */
export function takeEnding(): string | null {
  const told = ending;
  ending = null;
  return told;
}

/** Restores the session of another tab, or of this tab before a reload. Without an answer, the next request renews it. */
export async function restore(): Promise<void> {
  crossTab.listen(() => tokens, set);
  await crossTab.requestSession();
  const refresh = stored();
  if (tokens === null && refresh !== null) {
    tokens = { access: '', refresh, until: 0 };
    await renew('').catch(() => null);
  }
}

/** Returns a valid access token; null if no user is signed in. */
export async function access(): Promise<string | null> {
  if (tokens === null) return null;
  return Date.now() < tokens.until ? tokens.access : renew(tokens.access);
}

/** Replaces the access token `old`, once for concurrent callers. Returns null if the session is over. */
export function renew(old: string | null): Promise<string | null> {
  renewal ??= crossTab.withLock(() => exchange(old)).finally(() => (renewal = null));
  return renewal;
}

async function exchange(old: string | null): Promise<string | null> {
  if (tokens === null) return null;
  // Another tab may have renewed it while this one waited.
  if (tokens.access !== old) return tokens.access;
  const response = await patiently(tokens.refresh);
  // On a rate limit or a server error the session may continue; only this request fails.
  if (response.status === 429 || response.status >= 500)
    throw toApiError(response, await response.json().catch(() => null));
  if (!response.ok) {
    await expired(response);
    return null;
  }
  begin((await response.json()) as Schema<'TokenSet'>);
  return tokens.access;
}

/**
 * Sends the refresh token. Everybody behind one address shares a rate limit, so it waits when the limit is reached, for at
 * most one window.
 */
async function patiently(refresh: string): Promise<Response> {
  const response = await post('/refresh', { refresh_token: refresh });
  const wait = Number(response.headers.get('retry-after'));
  if (response.status !== 429 || !(wait > 0 && wait <= MOST_PATIENCE)) return response;
  await new Promise((done) => setTimeout(done, wait * 1000));
  return post('/refresh', { refresh_token: refresh });
}

/** Continues with these tokens in every tab. */
export function begin(answer: Schema<'TokenSet'>): void {
  set(read(answer));
  crossTab.publish(tokens);
}

/** Ends the session with the reason of the server. */
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

/** Ends the session in every tab and on the server. */
export async function signOut(why: string | null = null): Promise<void> {
  const left = tokens;
  end(why);
  if (left !== null) await post('/logout', { refresh_token: left.refresh }, left.access).catch(() => null);
}

/** Posts JSON and returns the response. */
export function post(path: string, body: unknown, token?: string): Promise<Response> {
  const headers: HeadersInit = { 'Content-Type': 'application/json' };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  return fetchNoted(new Request(at(path), { method: 'POST', headers, body: JSON.stringify(body) }));
}
