import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['profile'] = {
  title: 'Profil',
  account: 'Ihr Konto',
  role: 'Rolle in dieser Organisation',
  organizations: 'Organisationen',
  organization: (name, role) => `${name} (${role})`,
  permissions: 'Berechtigungen',
  permissionCount: (granted) => counted(granted, 'Berechtigung', 'Berechtigungen'),

  changePassword: 'Passwort ändern',
  changePasswordNote: 'Beendet Ihre anderen Sitzungen',
  current: 'Aktuelles Passwort',
  new: 'Neues Passwort',
  repeat: 'Neues Passwort wiederholen',
  mismatch: 'Die neuen Passwörter stimmen nicht überein.',
  changed: 'Passwort geändert.',

  sessions: 'Sitzungen',
  signedIn: 'Angemeldet',
  lastActive: 'Zuletzt aktiv',
  organizationOf: 'Organisation',
  thisSession: 'Diese Sitzung',
  endSession: 'Beenden',
  endOthers: 'Alle anderen beenden',
  sessionsEnded: 'Sitzung beendet.',
};
