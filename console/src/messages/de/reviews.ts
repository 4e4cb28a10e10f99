import { counted } from '../counted';
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
  waiting: 'Wartet',
  waitingFor: (time) => `Wartezeit bisher: ${time}.`,
  waitedFor: (time) => `Wartezeit ${time}`,
  evidence: 'Befunde',
  conversation: 'Unterhaltung',
  openConversation: 'Unterhaltung öffnen',
  previous: 'Vorherige Prüfung',
  next: 'Nächste Prüfung',
  shortcuts: '{next} nächste, {previous} vorherige',
  decide: {
    title: {
      approve: (reviews) => `${counted(reviews, 'Prüfung', 'Prüfungen')} genehmigen`,
      deny: (reviews) => `${counted(reviews, 'Prüfung', 'Prüfungen')} ablehnen`,
    },
    final: 'Die Anwendung erhält die Entscheidung sofort. Sie kann nicht rückgängig gemacht werden.',
    done: {
      approve: (reviews) => `${counted(reviews, 'Prüfung', 'Prüfungen')} genehmigt.`,
      deny: (reviews) => `${counted(reviews, 'Prüfung', 'Prüfungen')} abgelehnt.`,
    },
    failed: (reviews) => `${counted(reviews, 'Prüfung konnte', 'Prüfungen konnten')} nicht entschieden werden.`,
  },
  user: 'Benutzer',
  autoDenied: 'Automatisch abgelehnt',
  decided: 'Entschieden',
  timedOut: 'Zeit abgelaufen',
  review: 'Prüfen',
  older: 'Ältere Prüfungen laden',

  deny: 'Ablehnen',
  approve: 'Genehmigen',
  entryDeleted: 'Der Protokolleintrag dieser Anfrage wurde nach Ablauf seiner Aufbewahrungsfrist gelöscht.',
  note: 'Notiz:',
  addNote: 'Notiz (optional)',
  noteHint: 'Wird mit der Prüfung gespeichert. Die Anwendung erhält sie nicht.',
};
