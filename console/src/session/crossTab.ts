import type { Tokens } from './tokens';

// A refresh token works once: two tabs with the same token would end the session. So all tabs share one session, send
// each other the newest tokens, and renew them one at a time.
const channel = new BroadcastChannel('guardengine.session');

type Message = { kind: 'tokens'; tokens: Tokens | null } | { kind: 'who' };

/** Sends the newest tokens to the other tabs; null if the session ended. */
export function publish(tokens: Tokens | null): void {
  channel.postMessage({ kind: 'tokens', tokens } satisfies Message);
}

/** Calls `adopt` with tokens of other tabs, and answers their requests with `mine`. */
export function listen(mine: () => Tokens | null, adopt: (tokens: Tokens | null) => void): void {
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'tokens') adopt(data.tokens);
    else if (mine() !== null) publish(mine());
  };
}

/** Requests the session of other tabs and waits briefly for an answer. */
export async function requestSession(): Promise<void> {
  channel.postMessage({ kind: 'who' } satisfies Message);
  await new Promise((done) => setTimeout(done, 120));
}

/** Runs `work` in one tab at a time. Without Web Locks (plain http on another host) tabs do not wait. */
export async function withLock<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? await navigator.locks.request('guardengine.refresh', work) : await work();
}
