import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['roles'] = {
  title: 'Rollen',
  intro:
    'Fünf Rollen sind eingebaut. Erstellen Sie eigene aus denselben Berechtigungen. Sie können nur Berechtigungen ' +
    'erteilen, die Sie selbst haben.',
  create: 'Rolle erstellen',
  newTitle: 'Neue Rolle',
  custom: 'Eigene Rollen',
  permissions: (granted) => counted(granted, 'Berechtigung', 'Berechtigungen'),
  matrix: 'Berechtigungen nach Rolle',
  permission: 'Berechtigung',
  description: 'Beschreibung',
  deleteTitle: 'Rolle löschen?',
  deleteBody: 'Sie können {name} löschen, sobald kein Benutzer mehr diese Rolle hat.',
};
