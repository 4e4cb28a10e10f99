import type { Dictionary } from '../dictionary';

export const messages: Dictionary['audit'] = {
  title: 'Audit-Protokoll',
  intro:
    'Verwaltungsaufrufe, Anmeldungen und Demaskierungen. Die Einträge bilden eine Hashkette: {command} erkennt ' +
    'veränderte Einträge.',
  command: 'guardengine audit verify',
  action: 'Aktion',
  actionPlaceholder: 'FIREWALL_POLICIES:UPDATE_POLICY',
  principal: 'Akteur',
  principalPlaceholder: 'user:admin',
  number: 'Nr.',
  time: 'Zeit',
  target: 'Ziel',
  details: 'Einzelheiten',
  older: 'Ältere Einträge laden',
};
