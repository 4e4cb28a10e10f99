import { translated } from './translated';

/** Texts of the audit trail. */
const english = {
  title: 'Audit trail',
  intro:
    'Management calls, sign-ins and unmask requests. The entries form a hash chain: {command} detects altered ones.',
  command: 'guardengine audit verify',
  action: 'Action',
  actionPlaceholder: 'FIREWALL_POLICIES:UPDATE_POLICY',
  principal: 'Principal',
  principalPlaceholder: 'user:admin',
  number: 'No.',
  time: 'Time',
  target: 'Target',
  details: 'Details',
  older: 'Load older entries',
} as const;

export const messages = translated('audit', english);
