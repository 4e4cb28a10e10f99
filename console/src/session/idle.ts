import { useEffect, useState } from 'react';
import { common } from '@/messages/common';
import { access, renew, signOut } from './session';

// How long before the end a user is warned, and how often a user who works without asking the server is told to it.
const WARNING = 60_000;
const KEEP_ALIVE = 5 * 60_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
// Who works in one tab is not idle in the others.
const channel = new BroadcastChannel('guardengine.activity');

/**
 * Watches over a session that ends `timeout` milliseconds after its user was last active. Pages that refresh
 * themselves do not count as activity, or a forgotten screen would stay signed in for good.
 * Answers the seconds left while the user is to be warned, else null, and how to stay.
 */
export function useIdle(timeout: number): { left: number | null; stay: () => void } {
  const [left, setLeft] = useState<number | null>(null);
  const [times] = useState(() => ({ active: Date.now(), kept: Date.now() }));

  // Where the timeout is short, so are the times that lead to it.
  const warning = Math.min(WARNING, timeout / 2);
  const interval = Math.min(KEEP_ALIVE, timeout / 3);

  const stay = () => {
    times.active = Date.now();
    times.kept = Date.now();
    setLeft(null);
    channel.postMessage('active');
    void keepAlive();
  };

  useEffect(() => {
    const noted = () => {
      // While the warning is shown, only its own button counts: it is a decision.
      if (remaining(times.active, timeout) <= warning) return;
      times.active = Date.now();
      if (times.active - times.kept < interval) return;
      times.kept = times.active;
      channel.postMessage('active');
      void keepAlive();
    };
    const tick = () => {
      const rest = remaining(times.active, timeout);
      if (rest <= 0) void signOut(common.signedOutIdle);
      setLeft(rest > warning ? null : Math.ceil(rest / 1000));
    };
    // A clock that is looked at, not one that counts: timers stand still while a computer sleeps.
    const clock = setInterval(tick, 1000);
    for (const sign of SIGNS) addEventListener(sign, noted, { passive: true });
    channel.onmessage = () => (times.active = Date.now());
    return () => {
      clearInterval(clock);
      for (const sign of SIGNS) removeEventListener(sign, noted);
    };
  }, [timeout, warning, interval, times]);

  return { left, stay };
}

const remaining = (active: number, timeout: number) => active + timeout - Date.now();

async function keepAlive(): Promise<void> {
  await renew(await access());
}
