import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['apiKeys'] = {
  title: 'API-Schlüssel',
  intro:
    'Eine Anwendung sendet ihren Schlüssel im Header X-API-Key. Sie handelt in dieser Organisation als der Benutzer, ' +
    'der den Schlüssel erstellt hat, im Umfang des Schlüssels.',
  create: 'API-Schlüssel erstellen',
  emptyTitle: 'Noch keine API-Schlüssel',
  emptyBody: 'Erstellen Sie für jede Anwendung einen eigenen, damit Sie jeden einzeln widerrufen können.',
  startsWith: 'Beginnt mit',
  uses: 'Aufrufe',
  lastUsed: 'Zuletzt verwendet',
  scope: 'Umfang',
  everyProject: 'Alle Projekte des Erstellers',
  otherProject: 'Ein Projekt, dem Sie nicht angehören',
  permissionCount: (granted) => counted(granted, 'Berechtigung', 'Berechtigungen'),
  created: 'Erstellt',
  expires: 'Läuft ab',
  states: { active: 'Aktiv', expired: 'Abgelaufen', revoked: 'Widerrufen' },
  revoke: 'Widerrufen',
  revokeTitle: 'API-Schlüssel widerrufen?',
  revokeBody:
    'Anfragen mit {name} werden sofort abgelehnt. Ein widerrufener Schlüssel kann nicht wiederhergestellt werden.',

  newTitle: 'Neuer API-Schlüssel',
  namePlaceholder: 'Support-Chat, Produktion',
  validFor: 'Gültig für',
  lifetimes: { month: '30 Tage', quarter: '90 Tage', year: '1 Jahr', unlimited: 'Unbegrenzt' },
  project: 'Projekt',
  projectHint: 'Mit einem Projekt gelten Anfragen, die keines nennen, für dieses.',
  permissions: 'Berechtigungen',
  permissionsHint: 'Ein Schlüssel ändert Benutzer und Rollen nur mit Berechtigungen, die Sie einzeln auswählen.',
  allPermissions: 'Alle meine, außer Benutzer und Rollen zu ändern',
  chosenPermissions: 'Ausgewählte Berechtigungen',
  createdTitle: 'Ihr API-Schlüssel',
  stored: 'Ich habe ihn gespeichert',
  copy: 'API-Schlüssel kopieren',
  usage: 'Anwendungen senden ihn im Header {header}:',
};
