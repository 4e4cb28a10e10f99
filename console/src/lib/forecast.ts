/** A charge: when, and how many credits. */
export type Charge = { at: number; credits: number };
/** How long the balance lasts at least and at most, in milliseconds. */
export type Forecast = { soonest: number; latest: number };

const HOUR = 3_600_000;
// With fewer charges or intervals, or with a wider range, a forecast would be a guess.
const LEAST_CHARGES = 10;
const LEAST_INTERVALS = 6;
const WIDEST = 8;

/**
 * Returns how long a balance lasts at the usage between the first charge and `now`, or null if usage varies too much to
 * say. The range covers two standard errors of the hourly usage, and the usage of the latest hours.
 */
export function forecast(balance: number, charges: Charge[], now: number): Forecast | null {
  const from = Math.min(...charges.map(({ at }) => at));
  if (charges.length < LEAST_CHARGES || now <= from) return null;
  if (balance <= 0) return { soonest: 0, latest: 0 };
  const interval = Math.min(HOUR, (now - from) / LEAST_INTERVALS);
  const intervals = Math.ceil((now - from) / interval);
  const used = new Array<number>(intervals).fill(0);
  for (const { at, credits } of charges) {
    const index = Math.min(intervals - 1, Math.floor((at - from) / interval));
    used[index] = (used[index] ?? 0) + credits;
  }
  // The last hour has only begun, so it counts for as much of it as is over.
  const mean = used.reduce((sum, one) => sum + one, 0) / ((now - from) / interval);
  const variance = used.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (intervals - 1);
  const error = 2 * Math.sqrt(variance / intervals);
  const latest = rateSince(charges, now - 2 * interval, now) * interval;
  const most = Math.max(mean + error, latest);
  const least = Math.min(mean - error, latest);
  if (least <= 0 || most / least > WIDEST) return null;
  return { soonest: (balance / most) * interval, latest: (balance / least) * interval };
}

const rateSince = (charges: Charge[], since: number, now: number): number =>
  charges.filter(({ at }) => at >= since).reduce((sum, { credits }) => sum + credits, 0) / (now - since);
