import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const LAST: Record<string, [one: string, many: string, noun: string]> = {
  m: ['Último', 'Últimos', 'minuto'],
  h: ['Última', 'Últimas', 'hora'],
  d: ['Último', 'Últimos', 'día'],
};

export const messages: Dictionary['period'] = {
  label: 'Periodo',
  shown: (period, zone) => `Periodo: ${period}, horas en ${zone}`,
  title: 'Seleccione un periodo',
  relative: 'Hasta ahora',
  absolute: 'De un momento a otro',
  last: (number, unit) => {
    const [one, many, noun] = LAST[unit] ?? ['Último', 'Últimos', 'día'];
    return number === 1 ? `${one} ${noun}` : `${many} ${counted(number, noun, `${noun}s`)}`;
  },
  between: (from, to) => `${from} a ${to}`,
  since: (from) => `Desde ${from}`,
  until: (to) => `Hasta ${to}`,
  all: 'Cualquier fecha',
  from: 'Desde',
  to: 'Hasta',
  order: 'El final debe ser posterior al inicio.',
  apply: 'Aplicar',
  zone: 'Zona horaria',
  local: (zone) => `Local: ${zone}`,
  utc: 'UTC',
};
