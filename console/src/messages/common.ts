import { counted } from './counted';
import { translated } from './translated';

export { counted };

/** Texts of components that every page uses. */
const english = {
  product: 'guardengine',
  documentTitle: (page: string) => `${page} · guardengine`,

  add: 'Add',
  cancel: 'Cancel',
  exportCanceled: 'Export canceled.',
  close: 'Close',
  create: 'Create',
  delete: 'Delete',
  edit: 'Edit',
  editNamed: (name: string) => `Edit ${name}`,
  downloadCsv: 'Download CSV',
  entries: (entries: number) => counted(entries, 'entry', 'entries'),
  entriesLoaded: (entries: number) =>
    `${counted(entries, 'entry', 'entries')} loaded. The order and the CSV file cover these.`,
  sortBy: 'Sort by',
  unsorted: 'Default order',
  ascending: (head: string) => `${head}, ascending`,
  descending: (head: string) => `${head}, descending`,
  filter: 'Filter',
  remove: 'Remove',
  save: 'Save',
  test: 'Test',
  tryAgain: 'Try again',
  undo: 'Undo',

  select: (entry: string) => `Select ${entry}`,
  selectAll: 'Select all loaded entries',
  selected: (entries: number) => `${counted(entries, 'entry', 'entries')} selected`,
  selection: 'Selection',
  clearSelection: 'Clear selection',
  showAll: 'Show all',
  showLess: 'Show less',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  never: 'Never',
  noResults: 'No results',
  loading: 'Loading',
  actions: 'Actions',
  name: 'Name',
  project: 'Project',
  allProjects: 'All projects',
  role: 'Role',
  status: 'Status',
  username: 'Username',
  optional: (label: string) => `${label} (optional)`,
  characters: (used: number, limit: number) => `${used} of ${limit} characters`,
  passwordRules: 'At least 8 characters, with an uppercase letter, a lowercase letter and a digit.',
  defaultPolicy: 'Default policy',
  apiKey: (name: string) => `API key “${name}”`,
  unknownKey: (start: string) => `API key ${start}…`,
  operator: 'Operator',
  upgrade: 'Upgrade',
  hiddenIn: (found: string, encoding: string) => `${found}, hidden in ${encoding}`,
  originalError: 'Original error',
  notStored: 'Not stored',

  copied: 'Copied',
  copyCode: 'Copy code',
  copyFile: (file: string) => `Copy ${file}`,
  copyBlocked: 'The browser blocked copying. Select the text and copy it manually.',
  dismiss: 'Dismiss',
  correlationId: 'Correlation ID',
  copyCorrelationId: 'Copy correlation ID',
  errorWithId: (detail: string, id: string) => `${detail} (correlation ID ${id})`,
  serverStatus: (status: number) => `The server answered with status ${status}.`,
  serverUnreachable: 'The server cannot be reached.',
  notCurrent: (time: string) => `Not current. Last updated ${time}.`,
  notUpdated: (detail: string, time: string) => `Not updated since ${time}: ${detail}`,
  waitingForServer: 'The service does not answer. This page loads when it does.',
  sessionExpired: 'Your session expired. Sign in again.',
  signedOutIdle: 'You were signed out because of inactivity.',
  regexTimeout: 'This browser takes too long to match the pattern. The service matches in linear time.',

  overAYear: 'more than a year',
  range: (from: string, to: string) => `${from} to ${to}`,

  meter: (name: string, value: string) => `${name}: ${value}`,
  meterWithThreshold: (name: string, value: string, threshold: string) => `${name}: ${value}, threshold ${threshold}`,
  histogram: (name: string, reached: string, all: string, threshold: string) =>
    `${name}: ${reached} of ${all} requests at or above ${threshold}`,
  histogramBar: (requests: number, from: string, to: string) => `${counted(requests, 'request')} from ${from} to ${to}`,
} as const;

export const common = translated('common', english);

/** Names of wire values whose own words do not read well; the others are shown as words. */
const englishLabels: Record<string, string> = {
  nsfw: 'NSFW',
  not_judged: 'Not evaluated',
  pii: 'Personal data',
  custom_pii: 'Custom PII types',
  pii_kinds: 'PII types',
  pii_types: 'PII type settings',
  servicenow: 'ServiceNow',
};

export const wireLabels = translated('wireLabels', englishLabels);
