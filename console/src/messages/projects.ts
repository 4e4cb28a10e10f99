/** Texts of the projects page. */
export const messages = {
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

  membersOf: (project: string) => `Members of ${project}`,
  addMember: 'Add member',
  noMembers: 'No members yet. Owners and admins belong to every project.',
  user: 'User',
} as const;
