import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['tickets'] = {
  title: 'Tickets',
  intro:
    'Tickets, die Schutzregeln in verbundenen Systemen angelegt haben. Fehlgeschlagene Zustellungen werden wiederholt.',
  states: { queued: 'Wartend', sent: 'Gesendet', commented: 'Kommentiert', dead: 'Fehlgeschlagen' },
  allStates: 'Alle Status',
  emptyTitle: 'Noch keine Tickets',
  emptyBody:
    'Verbinden Sie Jira, ServiceNow oder einen Webhook und wählen Sie die Verbindung in einer Schutzregel einer ' +
    'Richtlinie aus. Tickets erscheinen hier, wenn diese Schutzregel ausgelöst wird.',
  noneWith: (status) => `Keine Tickets mit dem Status „${status}“`,
  showAll: 'Alle Tickets anzeigen',
  emptyAction: 'Ticketsystem verbinden',
  ticket: 'Ticket',
  connector: 'Konnektor',
  allConnectors: 'Alle Konnektoren',
  noneHere: 'Keine Tickets dieses Konnektors',
  retryAll: {
    button: 'Alle fehlgeschlagenen wiederholen',
    done: (tickets) => `${counted(tickets, 'Ticket', 'Tickets')} erneut eingereiht.`,
    failed: (tickets) => `${counted(tickets, 'Ticket konnte', 'Tickets konnten')} nicht eingereiht werden.`,
  },
  guardrail: 'Schutzregel',
  attempts: 'Versuche',
  created: 'Erstellt',
  request: 'Anfrage',
  viewEntry: 'Protokolleintrag anzeigen',
  retry: 'Erneut versuchen',
  older: 'Ältere Tickets laden',
  retrying: 'Neuer Versuch',
  nextAttempt: (time: string) => `Nächster Versuch ${time}`,
  comment: 'Kommentar zu einem früheren Ticket dieser Schutzregel',
};
