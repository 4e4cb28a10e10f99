import { useEffect, useState } from 'react';
import { common } from '@/messages/common';
import { access, renew, signOut } from './session';

// How long before the end the user is warned, and how often activity is reported to the server.
const WARNING = 60_000;
const KEEP_ALIVE = 5 * 60_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
// Activity in one tab counts for all tabs.
const channel = new BroadcastChannel('guardengine.activity');

/**
 * Watches a session that ends `timeout` milliseconds after the last activity of the user. Automatic refreshes do not
 * count as activity, because they would keep an abandoned screen signed in. Returns the seconds left while the user
 * should be warned, else null, and a function that extends the session.
 */
export function useIdle(timeout: number): { left: number | null; stay: () => void } {
  const [left, setLeft] = useState<number | null>(null);
  const [times] = useState(() => ({ active: Date.now(), kept: Date.now() }));

  // A short timeout shortens the warning and the interval.
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
      // While the warning is shown, only its button extends the session.
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
    // Compare with the clock instead of counting ticks: timers stop while a computer sleeps.
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
