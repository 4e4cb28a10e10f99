import type { Dictionary } from '../dictionary';

export const messages: Dictionary['users'] = {
  title: 'Benutzer',
  intro: 'Jeder Benutzer hat in einer Organisation eine Rolle. Die Rolle bestimmt seine Berechtigungen.',
  create: 'Benutzer erstellen',
  newTitle: 'Neuer Benutzer',
  you: 'Sie',
  memberSince: 'Mitglied seit',
  lastActive: 'Zuletzt aktiv',
  endSessions: 'Alle Sitzungen beenden',
  endSessionsNote: 'Meldet den Benutzer von dieser Organisation ab. API-Schlüssel funktionieren weiter.',
  sessionsEnded: 'Sitzungen beendet.',
  more: 'Weitere Benutzer laden',
  usernameTaken: 'Dieser Benutzername ist vergeben. Wählen Sie einen anderen.',
  password: 'Passwort',
  newPassword: 'Neues Passwort (optional)',
  removeTitle: 'Benutzer entfernen?',
  removeBody:
    '{name} verliert sofort den Zugriff auf diese Organisation. Zugehörige API-Schlüssel funktionieren hier nicht mehr.',
};
