import { translated } from './translated';

/** Texts of the projects page. */
const english = {
  title: 'Projects',
  intro: 'One project per application. The application sends the project ID, and the project selects the policy.',
  create: 'Create project',
  emptyTitle: 'No projects yet',
  emptyBody: 'Create one for each application, so that each has its own policy, log entries and members.',
  policy: 'Policy',
  shadow: (policy: string | null | undefined) => `Shadow: ${policy ?? '–'}`,
  logContent: 'Log content',
  continues: 'Continues without the database',
  id: 'ID',
  copyId: (project: string) => `Copy ID of ${project}`,
  updated: 'Updated',
  members: 'Members',
  withoutProject: 'Requests without a project',
  requireProject: 'Refuse guard requests without a project',
  refusesOthers: 'They are refused with status 422.',
  acceptsOthers: 'The built-in policy decides about them.',
  deleteTitle: 'Delete the project?',
  deleteBody: 'Requests for {name} are refused from now on. Its log entries remain.',

  newTitle: 'New project',
  namePlaceholder: 'Support chat',
  policyMissing: 'A project needs a policy. {link}',
  createPolicy: 'Create a policy first.',
  shadowPolicy: 'Shadow policy',
  shadowHint: 'Evaluates the same requests without affecting decisions. The log shows what it would have decided.',
  organizationDefault: 'Default of the organization',
  logContents: {
    masked: 'Masked: personal data is replaced',
    sealed: 'Sealed: masked, plus the original, which can be revealed with a reason',
    full: 'Full: original text',
    none: 'None: no text',
  },
  storeFailure: 'If the database is unavailable',
  storeFailures: { refuse: 'Refuse requests', spool: 'Continue and log later' },
  storeFailureHint:
    'Refuse: guard requests get status 503 until the database is back. Continue: requests with an API key ' +
    'use the last known policy. They are saved to a file, then logged and charged later. The embedded ' +
    'database is always available.',

  gateway: {
    summary: (routes: number) => (routes === 0 ? 'Gateway' : `Gateway: ${routes} ${routes === 1 ? 'route' : 'routes'}`),
    table: 'Routes of the gateway',
    of: (field: string, number: number) => `${field} of route ${number}`,
    model: 'Model',
    connector: 'Connector',
    otherConnector: 'Another connector',
    upstreamModel: 'Upstream model',
    same: 'Same name',
    fallback: 'Fallback',
    removal: 'Remove',
    remove: (number: number) => `Remove route ${number}`,
    add: 'Add route',
    note: 'The first route with a matching model handles a call. * matches any characters. Without routes, the gateway is off.',
    noConnector: 'Routes need a connector to OpenAI, Azure OpenAI, Anthropic or an OpenAI-compatible server.',
    onBlock: 'Answer to blocked calls',
    refusal: 'Refusal in the form of the provider, with status 200',
    error: 'Error with status 400',
  },

  membersOf: (project: string) => `Members of ${project}`,
  addMember: 'Add member',
  memberRemoved: (username: string) => `${username} was removed from the project.`,
  noMembers: 'No members yet. Owners and admins belong to every project.',
  user: 'User',
} as const;

export const messages = translated('projects', english);
