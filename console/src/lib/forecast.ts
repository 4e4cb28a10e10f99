/** Credits used in the hour that begins at `at`, in milliseconds since 1970. */
export type HourOfUsage = { at: number; credits: number };
/** The newest charges, their credits, and the time of the first of them. */
export type NewestCharges = { charges: number; credits: number; since: number };
/** How long the balance lasts at least and at most, in milliseconds. */
export type Forecast = { soonest: number; latest: number };

/**
 * A forecast, or the reason why there is none: usage began too recently and varies, it varies too much, or charges are too
 * few. `current` is how long the balance lasts at the rate of the newest charges.
 */
export type Outlook =
  | { kind: 'over' }
  | { kind: 'few' }
  | { kind: 'early'; since: number }
  | { kind: 'unclear'; current: Forecast }
  | { kind: 'lasts'; range: Forecast; since: number };

const HOUR = 3_600_000;
// With fewer charges, or with a wider range, a forecast would be a guess.
const LEAST_CHARGES = 10;
const WIDEST = 8;
// In its first day, usage has seen neither a night nor a peak: only steady usage predicts the next hours.
const FIRST_DAY = 24 * HOUR;
const WIDEST_AT_FIRST = 2;
// With fewer hours, their variance would be a guess.
const LEAST_HOURS = 6;

/** Returns how long a balance lasts, or why that is unknown. */
export function outlook(balance: number, hours: HourOfUsage[], newest: NewestCharges, now: number): Outlook {
  if (balance <= 0) return { kind: 'over' };
  const since = Math.min(...hours.map(({ at }) => at));
  const current = atRate(balance, newest, now);
  if (current === null) return { kind: 'few' };
  const isFirstDay = now - since < FIRST_DAY;
  const range = now - since < LEAST_HOURS * HOUR ? null : overHours(balance, hours, newest, now);
  const widest = isFirstDay ? WIDEST_AT_FIRST : WIDEST;
  if (range !== null && range.latest / range.soonest <= widest) return { kind: 'lasts', range, since };
  return isFirstDay ? { kind: 'early', since } : { kind: 'unclear', current };
}

/**
 * Returns how long a balance lasts, or null if it might last forever. The range covers two standard errors of the hourly
 * usage since the first hour with a charge, and the rate of the newest charges.
 */
function overHours(balance: number, hours: HourOfUsage[], newest: NewestCharges, now: number): Forecast | null {
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
  return least <= 0 ? null : { soonest: (balance / most) * HOUR, latest: (balance / least) * HOUR };
}

/**
 * Returns how long a balance lasts at the rate of the newest charges, or null if they are too few. The range covers two
 * standard errors of a number of independent events.
 */
function atRate(balance: number, { charges, credits, since }: NewestCharges, now: number): Forecast | null {
  if (charges < LEAST_CHARGES || now <= since) return null;
  const [middle, error] = [(balance / credits) * (now - since), 2 / Math.sqrt(charges)];
  return { soonest: middle / (1 + error), latest: middle / (1 - error) };
}
