import { counted } from './counted';
import { translated } from './translated';

/** Texts of the alerts page. */
const english = {
  title: 'Alerts',
  intro:
    'Rules that are checked once a minute. They send a message when their condition is met, and when it no longer is.',
  tabs: { rules: 'Rules', webhooks: 'Webhooks' },
  create: 'Create alert',
  newTitle: 'Create alert',
  emptyTitle: 'No alerts yet',
  emptyBody: 'Create an alert to get a message when many requests are blocked, credits run low or a connector fails.',
  states: { ok: 'OK', firing: 'Firing', disabled: 'Disabled' } as Record<string, string>,
  condition: 'Condition',
  conditions: {
    block_rate: 'Share of blocked requests',
    guardrail_spike: 'Spike in blocks by a guardrail',
    credits_low: 'Credits low',
    connector_down: 'Connector down',
    engine_degraded: 'Engine degraded',
  } as const,
  lastFired: 'Last fired',
  deliveries: 'Messages',
  share: 'Share of blocked requests in percent',
  minRequests: 'Minimum requests in the period',
  minBlocks: 'Minimum blocks in the period',
  period: 'Period in minutes',
  guardrail: 'Guardrail',
  factor: 'Factor over the period before',
  balance: 'Balance in credits',
  connector: 'Connector',
  anyConnector: 'Any connector',
  cooldown: 'Minimum minutes between two alerts',
  channels: 'Channels',
  noChannel: 'Sends no messages: it has no channel.',
  noChannels: 'To send messages, add a connector for Slack or e-mail. Webhooks receive alerts as events.',
  recipients: 'E-mail recipients',
  recipientsHint: 'One address per line, at most 20.',
  enabled: 'Enabled',
  deleteTitle: 'Delete alert?',
  deleteBody: '{name} and its messages will be deleted. Messages that are still waiting are not sent.',
  tested: (channels: number) => `Test message sent to ${counted(channels, 'channel')}`,
  testedNone: (summary: string) => `No channels. ${summary}`,
  testFailed: (errors: string) => `The test message was not sent: ${errors}`,
  sentence: {
    block_rate: (share: string, period: number, least: number) =>
      `Fires when ${share} or more of the requests of the last ${counted(period, 'minute')} are blocked, out of at least ${counted(least, 'request')}.`,
    guardrail_spike: (name: string, factor: number, period: number, least: number) =>
      `Fires when ${name} blocks at least ${factor} times as many requests in ${counted(period, 'minute')} as in the ${counted(period, 'minute')} before, and at least ${least.toLocaleString('en')}.`,
    credits_low: (balance: number) => `Fires when the balance is below ${counted(balance, 'credit')}.`,
    connector_down: (name: string | null) =>
      name === null ? 'Fires when any enabled connector fails.' : `Fires when the connector ${name} fails.`,
    engine_degraded: () => 'Fires when a part of the service does not work.',
  },
  deliveriesOf: (name: string) => `Messages of ${name}`,
  noDeliveries: 'No messages yet',
  noDeliveriesBody: 'Messages appear here when the alert fires or resolves. Tests are not listed.',
  kinds: { fired: 'Fired', resolved: 'Resolved' } as Record<string, string>,
  deliveryStates: { queued: 'Queued', sent: 'Sent', dead: 'Failed' } as Record<string, string>,
  message: 'Message',
  channel: 'Channel',
  attempts: 'Attempts',
  time: 'Time',
  retry: 'Retry',
} as const;

export const messages = translated('alerts', english);
