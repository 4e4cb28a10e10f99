/** Returns the time zone of the browser with its current distance from UTC: `Europe/Berlin (GMT+1)`. */
export function zone(at = new Date()): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const offset = Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return timeZone === 'UTC' || offset === undefined ? timeZone : `${timeZone} (${offset})`;
}

/**
 * Writes an instant in local time, as precisely as needed: `2026-01-31 14:05`. An instant that local time cannot
 * express, because a clock was set back, stays as it is.
 */
export function writeLocal(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const seconds = at.getSeconds() + at.getMilliseconds() / 1000;
  const fraction =
    seconds === 0 ? '' : `:${two(at.getSeconds())}${seconds % 1 === 0 ? '' : at.toISOString().slice(19, 23)}`;
  const local = `${date} ${two(at.getHours())}:${two(at.getMinutes())}${fraction}`;
  return new Date(readLocal(local)).getTime() === at.getTime() ? local : instant;
}

/** Reads a local date or time, or an instant with its zone. Anything else is returned as it is, for the service to refuse. */
export function readLocal(text: string): string {
  const written = text.trim();
  const isDate = /^\d{4}-\d\d-\d\d$/.test(written);
  const at = new Date(isDate ? `${written}T00:00` : written.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
