import { Pill } from '@/ui/Pill';
import { Ago } from '@/ui/Time';
import type { Review } from './data';

// A fifth of the time that a reviewer has.
const URGENT = 0.2;

/** The time at which a pending review is denied because nobody decided it; in red when little is left. */
export function Deadline({ of: { created_at, expires_at } }: { of: Review }) {
  const [from, to, now] = [Date.parse(created_at), Date.parse(expires_at), Date.now()];
  const isUrgent = to - now < (to - from) * URGENT;
  return (
    <Pill tone={isUrgent ? 'block' : 'plain'}>
      <Ago at={expires_at} />
    </Pill>
  );
}
