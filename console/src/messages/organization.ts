import { translated } from './translated';

/** Texts of the organization page. */
const english = {
  title: 'Organization settings',
  intro: 'Every member sees these settings. Owners and admins change them.',
  settings: 'Settings',
  nameTaken: 'Another organization has this name.',
  defaultLogContent: 'Log content of new projects',
  defaultLogContentHint: 'Existing projects keep their setting.',
  serviceDefault: 'Default of the service (masked)',
  saved: 'Settings saved.',
  readOnly: 'Your role cannot change these settings.',
  withoutProject: 'Requests without a project',
  requireProject: 'Refuse guard requests without a project',
  refusesOthers: 'They are refused with status 422.',
  acceptsOthers: 'The built-in policy decides about them.',
  service: 'Service',
  serviceNote: 'Set by the operator of the service.',
  id: 'Organization ID',
  copyId: 'Copy organization ID',
  balance: 'Balance',
  credits: (credits: string) => `${credits} credits`,
  logRetention: 'Retention of log entries',
  auditRetention: 'Retention of audit entries',
  creditRetention: 'Retention of ledger entries',
  unlimited: 'Without limit',
  session: 'Sessions',
  sessionRules: (idle: string, lifetime: string) =>
    `End after ${idle} without a request, and after ${lifetime} without a refresh.`,
  lockout: 'Lockout',
  lockoutRules: (attempts: number, time: string) =>
    `Failed attempts that lock a username: ${attempts}. Duration of the lock: ${time}.`,
  password: 'Passwords',
} as const;

export const messages = translated('organization', english);
