/** Credits used in the hour that begins at `at`, in milliseconds since 1970. */
export type HourOfUsage = { at: number; credits: number };
/** The newest charges, their credits, and the time of the first of them. */
export type NewestCharges = { charges: number; credits: number; since: number };
/** How long the balance lasts at least and at most, in milliseconds. */
export type Forecast = { soonest: number; latest: number };

const HOUR = 3_600_000;
// With fewer charges, or with a wider range, a forecast would be a guess.
const LEAST_CHARGES = 10;
const WIDEST = 8;
// Before that many hours of usage, only the newest charges count.
const LEAST_HOURS = 6;

/**
 * Returns how long a balance lasts, or null if usage varies too much to say. The range covers two standard errors of the
 * hourly usage since the first hour with a charge, and the rate of the newest charges.
 */
export function forecast(balance: number, hours: HourOfUsage[], newest: NewestCharges, now: number): Forecast | null {
  const recent = atRate(balance, newest, now);
  if (recent === null || balance <= 0) return recent;
  if (!hasHistory(hours, now)) return recent;
  const from = Math.min(...hours.map(({ at }) => at));
  const past = (now - from) / HOUR;
  const used = new Array<number>(Math.ceil(past)).fill(0);
  for (const { at, credits } of hours) {
    const index = Math.floor((at - from) / HOUR);
    used[index] = (used[index] ?? 0) + credits;
  }
  // The last hour has only begun, so it counts for as much of it as is over.
  const mean = used.reduce((sum, one) => sum + one, 0) / past;
  const variance = used.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (used.length - 1);
  const error = 2 * Math.sqrt(variance / used.length);
  const rate = (newest.credits / (now - newest.since)) * HOUR;
  const [least, most] = [Math.min(mean - error, rate), Math.max(mean + error, rate)];
  if (least <= 0 || most / least > WIDEST) return null;
  return { soonest: (balance / most) * HOUR, latest: (balance / least) * HOUR };
}

/** Whether the hours say how usage varies. */
export const hasHistory = (hours: HourOfUsage[], now: number): boolean =>
  hours.some(({ at }) => now - at >= LEAST_HOURS * HOUR);

/**
 * Returns how long a balance lasts at the rate of the newest charges, or null if they are too few. The range covers two
 * standard errors of a number of independent events.
 */
export function atRate(balance: number, { charges, credits, since }: NewestCharges, now: number): Forecast | null {
  if (charges < LEAST_CHARGES || now <= since) return null;
  if (balance <= 0) return { soonest: 0, latest: 0 };
  const [middle, error] = [(balance / credits) * (now - since), 2 / Math.sqrt(charges)];
  return { soonest: middle / (1 + error), latest: middle / (1 - error) };
}
