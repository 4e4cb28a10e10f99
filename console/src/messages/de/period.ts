import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const LAST: Record<string, [one: string, many: string, noun: string]> = {
  m: ['Letzte', 'Letzte', 'Minute'],
  h: ['Letzte', 'Letzte', 'Stunde'],
  d: ['Letzter', 'Letzte', 'Tag'],
};

export const messages: Dictionary['period'] = {
  label: 'Zeitraum',
  shown: (period, zone) => `Zeitraum: ${period}, Zeiten in ${zone}`,
  title: 'Zeitraum auswählen',
  relative: 'Bis jetzt',
  absolute: 'Von einem Zeitpunkt bis zu einem anderen',
  last: (number, unit) => {
    const [one, many, noun] = LAST[unit] ?? ['Letzter', 'Letzte', 'Tag'];
    return number === 1 ? `${one} ${noun}` : `${many} ${counted(number, noun, noun === 'Tag' ? 'Tage' : `${noun}n`)}`;
  },
  between: (from, to) => `${from} bis ${to}`,
  since: (from) => `Seit ${from}`,
  until: (to) => `Bis ${to}`,
  all: 'Beliebige Zeit',
  from: 'Von',
  to: 'Bis',
  order: 'Das Ende muss nach dem Anfang liegen.',
  apply: 'Anwenden',
  zone: 'Zeitzone',
  local: (zone) => `Lokal: ${zone}`,
  utc: 'UTC',
};
