import type { Dictionary } from '../dictionary';

export const messages: Dictionary['charts'] = {
  keys: 'Pfeiltasten bewegen, Eingabetaste wählt aus.',
  zoomKeys:
    'Pfeiltasten bewegen, Eingabetaste wählt aus. Mit der Umschalttaste wählen Pfeiltasten einen Bereich, den die ' +
    'Eingabetaste vergrößert.',
  range: (from, to) => `${from} bis ${to}. Die Eingabetaste vergrößert.`,
  table: 'Als Tabelle anzeigen',
  chart: 'Als Diagramm anzeigen',
  tableOf: (chart) => `${chart}, als Tabelle`,
  time: 'Zeit',
  markers: 'Eine Richtlinie wurde geändert',
};
