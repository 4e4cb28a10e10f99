import type { Schema } from '@/api/client';
import { translated } from './translated';

/** Texts of the webhooks that receive events. */
const english = {
  title: 'Webhooks',
  intro: 'Webhooks that receive events, signed and in order. Failed messages are retried until they are delivered.',
  create: 'Subscribe webhook',
  emptyTitle: 'No webhooks subscribed',
  emptyBody: 'Subscribe a webhook to receive alerts, decisions and reviews as they happen.',
  noWebhook: 'There is no webhook without a subscription. Create a connector of the type Webhook first.',
  webhook: 'Webhook',
  events: 'Events',
  allEvents: 'All',
  lag: 'Undelivered events',
  lastDelivered: 'Last delivered',
  states: { active: 'Active', failing: 'Failing', paused: 'Paused' } as const,
  pause: 'Pause',
  resume: 'Resume',
  deleteTitle: 'Delete subscription?',
  deleteBody: '{name} will receive no events. Undelivered events are dropped. The connector itself is not deleted.',
  kinds: {
    'alert.fired': 'Alert fired',
    'alert.resolved': 'Alert resolved',
    'decision.blocked': 'Text blocked',
    'decision.masked': 'Text masked',
    'decision.challenged': 'Prompt challenged',
    'decision.escalated': 'Prompt escalated',
    'review.decided': 'Review decided',
    'review.expired': 'Review expired',
    'credits.low': 'Credits low',
    'connector.error': 'Connector failed',
    'connector.recovered': 'Connector recovered',
    'connector.tools_changed': 'Tools of an MCP server changed',
    'audit.head': 'New audit entries',
    'job.finished': 'Job finished',
  } satisfies Record<Schema<'EventKind'>, string>,
} as const;

export const messages = translated('subscriptions', english);
