import { translated } from './translated';

/** Texts of the guided start. */
const english = {
  title: 'Connect your application',
  intro: 'From here to the first blocked prompt of your own application, in about five minutes.',
  policyTitle: 'Policy and project',
  policyBody: 'A project is one application. It selects the policy that decides about its requests.',
  application: 'Application',
  applicationPlaceholder: 'Support chat',
  startFrom: 'Policy',
  fromDefault: 'Default policy',
  existing: (policy: string) => `${policy} (existing)`,
  create: 'Create project',
  useExisting: 'Or use a project',
  chosen: (project: string) => `Project: ${project}`,
  change: 'Change',
  connectTitle: 'Connect',
  done: (isBlocked: boolean) => `Your first prompt was ${isBlocked ? 'blocked' : 'stopped'}`,
  doneBody: 'Your application is guarded. These are the next steps.',
  entry: 'View the request',
  policy: 'Tune the policy',
  dashboard: 'Open the dashboard',
} as const;

export const messages = translated('start', english);
