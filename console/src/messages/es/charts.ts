import type { Dictionary } from '../dictionary';

export const messages: Dictionary['charts'] = {
  keys: 'Las flechas mueven, Intro selecciona.',
  zoomKeys: 'Las flechas mueven, Intro selecciona. Con Mayús, las flechas seleccionan un intervalo e Intro lo amplía.',
  range: (from, to) => `De ${from} a ${to}. Intro lo amplía.`,
  table: 'Mostrar como tabla',
  chart: 'Mostrar como gráfico',
  tableOf: (chart) => `${chart}, como tabla`,
  time: 'Hora',
  markers: 'Una política cambió',
};
