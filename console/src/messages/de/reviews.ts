import type { Dictionary } from '../dictionary';

const EMPTY: Record<string, string> = {
  pending: 'Keine ausstehenden Prüfungen',
  approved: 'Keine genehmigten Prüfungen',
  denied: 'Keine abgelehnten Prüfungen',
};

export const messages: Dictionary['reviews'] = {
  title: 'Prüfungen',
  intro:
    'Prompts, die eine Schutzregel mit der Aktion Eskalieren in einer autonomen Entscheidung angehalten hat. Die Anwendung ' +
    'wartet auf Ihre Entscheidung. Eskalierte Aufrufe von analyze und validate werden nur angehalten und haben keine Prüfung.',
  table: 'Prüfungen',
  states: { pending: 'Ausstehend', approved: 'Genehmigt', denied: 'Abgelehnt' },
  emptyPending: 'Keine ausstehenden Prüfungen',
  emptyPendingBody:
    'Geben Sie einer Schutzregel die Aktion „Eskalieren“ und lassen Sie Ihre Anwendung autonome Entscheidungen ' +
    'anfordern. Eskalierte Prompts erscheinen hier.',
  empty: (state) => EMPTY[state] ?? 'Keine Prüfungen',
  requested: 'Angefordert',
  triggered: 'Ausgelöst',
  user: 'Benutzer',
  text: 'Text',
  autoDenied: 'Automatisch abgelehnt',
  decided: 'Entschieden',
  timedOut: 'Zeit abgelaufen',
  review: 'Prüfen',
  view: 'Anzeigen',
  older: 'Ältere Prüfungen laden',

  deny: 'Ablehnen',
  approve: 'Genehmigen',
  entryDeleted: 'Der Protokolleintrag dieser Anfrage wurde nach Ablauf seiner Aufbewahrungsfrist gelöscht.',
  note: 'Notiz:',
  addNote: 'Notiz (optional)',
  noteHint: 'Wird mit der Prüfung gespeichert. Die Anwendung erhält sie nicht.',
};
