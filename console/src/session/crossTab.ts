import type { Tokens } from './tokens';

// A refresh token serves once: two tabs with the same one would end the session. All tabs of a browser therefore
// share one session, tell each other its newest tokens, and take turns at renewing them.
const channel = new BroadcastChannel('guardengine.session');

type Message = { kind: 'tokens'; tokens: Tokens | null } | { kind: 'who' };

/** Tells the other tabs the newest tokens; null when the session has ended. */
export function publish(tokens: Tokens | null): void {
  channel.postMessage({ kind: 'tokens', tokens } satisfies Message);
}

/** Calls `adopt` for tokens of other tabs, and answers those that ask with `mine`. */
export function listen(mine: () => Tokens | null, adopt: (tokens: Tokens | null) => void): void {
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'tokens') adopt(data.tokens);
    else if (mine() !== null) publish(mine());
  };
}

/** Asks the other tabs for a session, and waits a moment for an answer. */
export async function requestSession(): Promise<void> {
  channel.postMessage({ kind: 'who' } satisfies Message);
  await new Promise((done) => setTimeout(done, 120));
}

/** Runs `work` in one tab at a time. Where the browser has no locks (plain http on another host) tabs do not wait. */
export async function withLock<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? await navigator.locks.request('guardengine.refresh', work) : await work();
}
