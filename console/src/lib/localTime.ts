import { language } from './language';
import { isUtc, partsOf } from './zone';

/** Returns the selected time zone with its current distance from UTC: `Europe/Berlin (GMT+1)`. */
export const zone = (at = new Date()): string => (isUtc() ? 'UTC' : browserZone(at));

/** Returns the time zone of the browser with its current distance from UTC. */
export function browserZone(at = new Date()): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const offset = Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return timeZone === 'UTC' || offset === undefined ? timeZone : `${timeZone} (${offset})`;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Returns an instant as a field for dates and times has it, in the selected zone: `2026-01-31T14:05`. */
export function forField(at: Date): string {
  const { year, month, day, hour, minute } = partsOf(at);
  return `${year}-${two(month + 1)}-${two(day)}T${two(hour)}:${two(minute)}`;
}

/**
 * Writes an instant in the selected zone, as precisely as needed: `2026-01-31 14:05`. An instant that local time cannot
 * express, because a clock was set back, stays as it is.
 */
export function writeLocal(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const second = partsOf(at).second;
  const milliseconds = at.getMilliseconds();
  const fraction =
    second + milliseconds === 0 ? '' : `:${two(second)}${milliseconds === 0 ? '' : at.toISOString().slice(19, 23)}`;
  const local = `${forField(at).replace('T', ' ')}${fraction}`;
  return new Date(readLocal(local)).getTime() === at.getTime() ? local : instant;
}

/**
 * Reads a date or time in the selected zone, or an instant with its zone. Anything else is returned as it is, for the
 * service to refuse.
 */
export function readLocal(text: string): string {
  const written = text.trim();
  const isDate = /^\d{4}-\d\d-\d\d$/.test(written);
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(written.slice(10));
  const time = isDate ? `${written}T00:00` : written.replace(' ', 'T');
  const at = new Date(isUtc() && !hasZone ? `${time}Z` : time);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
