import type { Dictionary } from '../dictionary';

export const messages: Dictionary['subscriptions'] = {
  title: 'Webhooks',
  intro:
    'Webhooks, die Ereignisse erhalten, signiert und der Reihe nach. Fehlgeschlagene Nachrichten werden wiederholt, bis sie ' +
    'zugestellt sind.',
  create: 'Webhook-Abonnement erstellen',
  emptyTitle: 'Noch keine Webhook-Abonnements',
  emptyBody: 'Erstellen Sie ein Webhook-Abonnement, um Alarme, Entscheidungen und Prüfungen sofort zu erhalten.',
  noWebhook: 'Es gibt keinen Webhook ohne Abonnement. Erstellen Sie zuerst einen Konnektor vom Typ Webhook.',
  webhook: 'Webhook',
  events: 'Ereignisse',
  allEvents: 'Alle',
  lag: 'Nicht zugestellte Ereignisse',
  lastDelivered: 'Zuletzt zugestellt',
  states: { active: 'Aktiv', failing: 'Gestört', paused: 'Angehalten' },
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  deleteTitle: 'Abonnement löschen?',
  deleteBody:
    '{name} erhält keine Ereignisse mehr. Nicht zugestellte Ereignisse werden verworfen. Der Konnektor bleibt erhalten.',
  kinds: {
    'alert.fired': 'Alarm ausgelöst',
    'alert.resolved': 'Alarm beendet',
    'decision.blocked': 'Text blockiert',
    'decision.masked': 'Text maskiert',
    'decision.challenged': 'Rückfrage zu einem Prompt',
    'decision.escalated': 'Prompt eskaliert',
    'review.decided': 'Prüfung entschieden',
    'review.expired': 'Prüfung abgelaufen',
    'credits.low': 'Credits knapp',
    'connector.error': 'Konnektor ausgefallen',
    'connector.recovered': 'Konnektor arbeitet wieder',
    'connector.tools_changed': 'Werkzeuge eines MCP-Servers geändert',
    'audit.head': 'Neue Einträge im Audit-Protokoll',
    'job.finished': 'Auftrag abgeschlossen',
  },
};
