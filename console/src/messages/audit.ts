import { counted } from './counted';
import { translated } from './translated';

/** Texts of the audit trail. */
const english = {
  title: 'Audit trail',
  intro: 'Management calls, sign-ins and unmask requests. The entries form a hash chain, which shows altered entries.',
  action: 'Action',
  everyAction: 'All actions',
  principal: 'Principal',
  everyPrincipal: 'Everyone',
  users: 'Users',
  apiKeys: 'API keys',
  system: 'System',
  otherFilter: 'Selected',
  operatorActions: 'Operator commands',
  areas: {
    FIREWALL_POLICIES: 'Policies',
    EVALUATION: 'Evaluation',
    PROJECTS: 'Projects',
    CONNECTORS: 'Connectors and alerts',
    FIREWALL: 'Masking',
    LOGS: 'Log',
    REVIEWS: 'Reviews',
    API_KEYS: 'API keys',
    USERS: 'Users',
    ROLES: 'Roles',
    SESSIONS: 'Sessions',
    ORGANIZATION: 'Organization',
  } as Record<string, string>,
  number: 'No.',
  time: 'Time',
  target: 'Target',
  changes: 'Changes',
  moreChanges: (changes: number) => `and ${counted(changes, 'more change')}`,
  older: 'Load older entries',
  empty: 'No audit entries',
  emptyBody: 'No entry matches these filters in this period.',
  clear: 'Clear filters',

  entry: (number: string) => `Audit entry ${number}`,
  newer: 'Newer entry',
  olderEntry: 'Older entry',
  missing: 'This entry does not exist, or retention deleted it.',
  address: 'Address',
  noAddress: 'On the server itself',
  noChanges: 'This entry has no details.',
  raw: 'Stored entry',
  copyRaw: 'Copy the stored entry',
  same: 'Show all entries with this action',
  samePrincipal: 'Show all entries of this principal',

  verify: 'Verify',
  verifyTitle: 'Verify the audit trail',
  checkedFrom: (entries: number, first: string, last: string) =>
    `${counted(entries, 'entry', 'entries')} checked, numbers ${first} to ${last}.`,
  noEntries: 'There are no entries to check.',
  sound: 'Every entry is as it was written.',
  broken: (number: string) => `Entry ${number} was altered or is missing.`,
  openBroken: 'Show the entries around it',
  deletedBefore: (number: string) => `Retention deleted the entries up to ${number}.`,
  unkeyedBefore: (number: string) =>
    `Entries before ${number} are of an earlier version, which did not protect them with a key.`,
  head: 'Head of the trail',
  headHint: 'Store it outside this system. With it, you can later notice entries that were cut off at the end.',
  copyHead: 'Copy the head',
  keptHead: 'Compare with a stored head',
  keptHeadHint: 'A head that you copied earlier, such as 1234:9f86d0….',
  compare: 'Compare',
  heads: {
    held: 'The trail contains the stored head.',
    missing: 'The trail does not contain the stored head: entries were cut off or replaced.',
    deleted: 'Retention deleted the entry of the stored head, so it cannot be compared.',
  } as Record<string, string>,

  export: {
    button: 'Export',
    csv: 'CSV, for spreadsheets',
    json: 'JSON, for programs',
    progress: (entries: number) => `${counted(entries, 'entry', 'entries')} loaded`,
    done: (entries: number) => `${counted(entries, 'entry', 'entries')} exported.`,
    cut: (entries: number) =>
      `Only the newest ${counted(entries, 'entry', 'entries')} are in the file. Select a shorter period.`,
  },
} as const;

export const messages = translated('audit', english);
