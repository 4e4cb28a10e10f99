import { counted } from './common';
import { translated } from './translated';

/** Texts of the API keys page. */
const english = {
  title: 'API keys',
  intro:
    'An application sends its key in the X-API-Key header. It acts as the user who created the key, in ' +
    'this organization, within the scope of the key.',
  create: 'Create API key',
  emptyTitle: 'No API keys yet',
  emptyBody: 'Create one for each application, so that you can revoke each of them separately.',
  startsWith: 'Starts with',
  uses: 'Uses',
  lastUsed: 'Last used',
  scope: 'Scope',
  everyProject: 'Every project of its creator',
  otherProject: 'A project that you do not belong to',
  permissionCount: (granted: number) => counted(granted, 'permission'),
  created: 'Created',
  expires: 'Expires',
  states: { active: 'Active', expired: 'Expired', revoked: 'Revoked' },
  revoke: 'Revoke',
  revokeTitle: 'Revoke the API key?',
  revokeBody: 'Requests with {name} are refused immediately. A revoked key cannot be restored.',

  newTitle: 'New API key',
  namePlaceholder: 'Support chat, production',
  validFor: 'Valid for',
  lifetimes: { month: '30 days', quarter: '90 days', year: '1 year', unlimited: 'No expiry' },
  project: 'Project',
  projectHint: 'With a project, requests that name none are for this one.',
  permissions: 'Permissions',
  permissionsHint: 'A key changes users and roles only with permissions that you choose.',
  allPermissions: 'All of mine, but not to change users and roles',
  chosenPermissions: 'Chosen permissions',
  createdTitle: 'Your API key',
  stored: 'I have stored it',
  copy: 'Copy API key',
  usage: 'Applications send it in the {header} header:',
} as const;

export const messages = translated('apiKeys', english);
