import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { at } from '@/lib/base';

/** Whether the service answers, and when it last did (milliseconds since 1970). */
export type Connection = { isLost: boolean; lastAnswer: number };

// An open page notices an outage within this time, also while it requests nothing.
const HEARTBEAT_MS = 8_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
const PROBE_TIMEOUT_MS = 5_000;

let state: Connection = { isLost: false, lastAnswer: Date.now() };
let timer: ReturnType<typeof setTimeout> | undefined;
let delay = FIRST_RETRY_MS;
const watchers = new Set<() => void>();

/** Calls `watcher` when the service stops or starts to answer. */
function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Returns whether the service answers. */
export const connection = (): Connection => state;
export const useConnection = (): Connection => useSyncExternalStore(watch, connection);

/** Waits until the service answers. */
export function untilConnected(): Promise<void> {
  return new Promise((done) => {
    if (!state.isLost) return done();
    const stop = watch(() => {
      stop();
      done();
    });
  });
}

/** Fetches, and notes whether the service answered. */
export async function fetchNoted(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    note(isAnswer(response));
    return response;
  } catch (error) {
    if (!request.signal.aborted) note(false);
    throw error;
  }
}

/** Notes that a connection to the service broke, for example a stream. A probe decides whether the service is gone. */
export function noteBroken(): void {
  if (!state.isLost) void probe();
}

/** Starts to watch the connection. Queries wait while it is lost, and continue afterwards. */
export function watchConnection(): void {
  onlineManager.setEventListener((setOnline) => watch(() => setOnline(!state.isLost)));
  addEventListener('online', () => void probe());
  addEventListener('offline', () => void probe());
  document.addEventListener('visibilitychange', schedule);
  schedule();
}

/** Not the error of a proxy that misses the service: the service gives every response an identifier. */
const isAnswer = ({ status, headers }: Response) =>
  ![502, 503, 504].includes(status) || headers.has('X-Correlation-ID');

function note(answered: boolean): void {
  const isChange = state.isLost === answered;
  delay = answered || isChange ? FIRST_RETRY_MS : Math.min(delay * 2, LONGEST_RETRY_MS);
  if (isChange || answered) state = { isLost: !answered, lastAnswer: answered ? Date.now() : state.lastAnswer };
  if (isChange) for (const watcher of [...watchers]) watcher();
  if (isChange || answered) schedule();
}

function schedule(): void {
  clearTimeout(timer);
  if (!state.isLost && document.hidden) return;
  timer = setTimeout(() => void probe(), state.isLost ? delay : HEARTBEAT_MS);
}

/** Asks the service whether it is there. */
async function probe(): Promise<void> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  const answered = await fetch(at('/healthz'), { signal, cache: 'no-store' }).then(isAnswer, () => false);
  note(answered);
  schedule();
}
