import { counted } from './counted';
import { translated } from './translated';

/** Texts of the ticket list. */
const english = {
  title: 'Tickets',
  intro: 'Tickets that guardrails raised in connected systems. Failed deliveries are retried.',
  states: { queued: 'Queued', sent: 'Sent', commented: 'Commented', dead: 'Failed' } as Record<string, string>,
  allStates: 'All statuses',
  emptyTitle: 'No tickets yet',
  emptyBody:
    'Connect Jira, ServiceNow or a webhook, then select it in a guardrail of a policy. Tickets appear ' +
    'here when that guardrail triggers.',
  noneWith: (status: string) => `No tickets with the status “${status}”`,
  showAll: 'Show all tickets',
  emptyAction: 'Connect a ticket system',
  ticket: 'Ticket',
  connector: 'Connector',
  allConnectors: 'All connectors',
  noneHere: 'No tickets of this connector',
  retryAll: {
    button: 'Retry all failed',
    done: (tickets: number) => `${counted(tickets, 'ticket')} queued again.`,
    failed: (tickets: number) => `${counted(tickets, 'ticket')} could not be queued.`,
  },
  guardrail: 'Guardrail',
  attempts: 'Attempts',
  created: 'Created',
  request: 'Request',
  viewEntry: 'View log entry',
  retry: 'Retry',
  older: 'Load older tickets',
  retrying: 'Retrying',
  nextAttempt: (time: string) => `Next attempt ${time}`,
  comment: 'Comment on an earlier ticket of this guardrail',
} as const;

export const messages = translated('tickets', english);
