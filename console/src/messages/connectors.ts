/** Texts of the connectors page. */
export const messages = {
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
  testFailed: 'Connection failed.',
  deleteTitle: 'Delete the connector?',
  deleteBody: '{name} and its secrets are deleted permanently. No policy may use it.',

  newTitle: 'New connector',
  chooseType: 'Choose a type',
  enabled: 'Enabled',
  healthCheck: (check: string) => `Health check: ${check}`,
  secretSet: 'Set. Leave empty to keep it.',
  requiredWithout: (help: string, other: string) => `${help} Required if ${other} is empty.`,
} as const;
