import { translated } from './translated';

/** Texts of the connectors page. */
const english = {
  title: 'Connectors',
  intro:
    'Cloud accounts, language models, ticket systems and source hosting. Secrets are encrypted and never displayed.',
  create: 'Create connector',
  emptyTitle: 'No connectors yet',
  emptyBody:
    'Nothing leaves this machine until you add a connector, such as a language model for second opinions ' +
    'or a ticket system for follow-ups.',
  type: 'Type',
  states: { active: 'Active', error: 'Error', disabled: 'Disabled' } as Record<string, string>,
  connected: (ms: number) => `Connected (${ms} ms)`,
  checked: 'Checked {time}',
  testFailed: 'Connection failed.',
  deleteTitle: 'Delete the connector?',
  deleteBody: '{name} and its secrets are deleted permanently. No policy may use it.',

  tools: {
    button: 'Tools',
    title: (connector: string) => `Tools of ${connector}`,
    intro:
      'Tools as they were first listed. A tool whose definition changes is neither offered nor called until the ' +
      'change is accepted.',
    emptyTitle: 'No tools yet',
    emptyBody: 'They appear here when a client lists the tools of this server through the service.',
    pinned: 'Pinned',
    changed: 'Changed',
    seenAt: 'First listed {time}',
    changedAt: 'Changed {time}',
    definition: 'Definition',
    accepted: 'Accepted',
    sent: 'Sent now',
    digest: (digest: string) => `SHA-256 ${digest}`,
    accept: 'Accept',
    acceptTitle: 'Accept the changed definition?',
    acceptBody: '{name} is offered and called again, as the server describes it now. The audit trail names you.',
  },

  newTitle: 'New connector',
  chooseType: 'Choose a type',
  enabled: 'Enabled',
  healthCheck: (check: string) => `Health check: ${check}`,
  secretSet: 'Set. Leave empty to keep it.',
  requiredWithout: (help: string, other: string) => `${help} Required if ${other} is empty.`,
} as const;

export const messages = translated('connectors', english);
