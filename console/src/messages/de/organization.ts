import type { Dictionary } from '../dictionary';

export const messages: Dictionary['organization'] = {
  title: 'Organisationseinstellungen',
  intro: 'Alle Mitglieder sehen diese Einstellungen. Eigentümer und Administratoren ändern sie.',
  settings: 'Einstellungen',
  nameTaken: 'Eine andere Organisation hat diesen Namen.',
  defaultLogContent: 'Protokollinhalt neuer Projekte',
  defaultLogContentHint: 'Bestehende Projekte behalten ihre Einstellung.',
  serviceDefault: 'Vorgabe des Dienstes (maskiert)',
  saved: 'Einstellungen gespeichert.',
  readOnly: 'Ihre Rolle kann diese Einstellungen nicht ändern.',
  service: 'Dienst',
  serviceNote: 'Vom Betreiber des Dienstes festgelegt.',
  id: 'Organisations-ID',
  copyId: 'Organisations-ID kopieren',
  balance: 'Guthaben',
  credits: (credits) => `${credits} Credits`,
  logRetention: 'Aufbewahrung von Protokolleinträgen',
  auditRetention: 'Aufbewahrung von Audit-Einträgen',
  creditRetention: 'Aufbewahrung von Buchungen',
  unlimited: 'Unbegrenzt',
  session: 'Sitzungen',
  sessionRules: (idle, lifetime) =>
    `Dauer ohne Anfrage bis zum Ende: ${idle}. Dauer ohne Erneuerung bis zum Ende: ${lifetime}.`,
  lockout: 'Sperre',
  lockoutRules: (attempts, time) => `Fehlversuche bis zur Sperre eines Benutzernamens: ${attempts}. Dauer: ${time}.`,
  password: 'Passwörter',
};
