import { counted } from './common';
import { translated } from './translated';

/** Texts of the usage by project, API key, user, application and operation. */
const english = {
  title: 'Usage',
  note: 'Requests with a log entry, and their credits',
  by: 'Usage by',
  properties: {
    project: 'Project',
    api_key: 'API key',
    user: 'User',
    application: 'Application',
    operation: 'Operation',
  },
  none: {
    project: 'Without a project',
    api_key: 'Without an API key',
    user: 'Without a user',
    application: 'Without an application',
    operation: 'Without an operation',
  },
  owner: 'Owner',
  requests: 'Requests',
  blocked: 'Blocked',
  masked: 'Masked',
  credits: 'Credits',
  share: 'Share of credits',
  shareOf: (name: string, share: string) => `${name}: ${share} of the credits`,
  requestsOf: (name: string, requests: string) => `Requests of ${name}: ${requests}`,
  blockedOf: (name: string, requests: string) => `Blocked requests of ${name}: ${requests}`,
  maskedOf: (name: string, requests: string) => `Masked requests of ${name}: ${requests}`,
  others: 'Others',
  unattributed: 'Not attributed',
  completeSince: (time: string) =>
    `Complete since ${time}. Earlier requests were counted without these properties and are not attributed.`,
  total: (requests: number, credits: number) =>
    `${counted(requests, 'request')}, ${counted(credits, 'credit')} in this period`,
  more: 'Show more',
  export: 'Export usage',
  exported: 'The usage was exported.',
  emptyTitle: 'No requests in this period',
  emptyBody: 'Requests and their credits appear here within seconds.',
} as const;

export const messages = translated('usage', english);
