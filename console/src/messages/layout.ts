import { translated } from './translated';

/** Texts around every page: navigation, menus, warnings. */
const english = {
  skip: 'Skip to content',
  menu: 'Menu',
  goTo: 'Go to',
  shortcut: 'Ctrl K',
  pages: 'Pages',

  groups: { observe: 'Observe', protect: 'Protect', connect: 'Connect', organization: 'Organization' },
  nav: {
    dashboard: 'Dashboard',
    logs: 'Live logs',
    reviews: 'Review queue',
    tickets: 'Tickets',
    alerts: 'Alerts',
    engine: 'Engine status',
    policies: 'Policies',
    evaluation: 'Evaluation',
    playground: 'Playground',
    projects: 'Projects',
    gateway: 'Gateway and clients',
    apiKeys: 'API keys',
    connectors: 'Connectors',
    users: 'Users',
    roles: 'Roles',
    organization: 'Organization settings',
    credits: 'Credits',
    audit: 'Audit trail',
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    open: 'Keyboard shortcuts',
    list: [
      [['Ctrl', 'K'], 'Find a page, a policy, a project, a user or an entry'],
      [['/'], 'Search or filter on this page'],
      [['j', 'k'], 'Next and previous table entry, also while one is open'],
      [['Enter'], 'Open the selected entry'],
      [['a', 'd'], 'Approve or deny the open review, or the selected ones'],
      [['Esc'], 'Close the dialog on top'],
      [['?'], 'Show these shortcuts'],
      [['←', '→'], 'Move through a chart; Enter selects'],
      [['Shift', '←', '→'], 'Select a range of a chart; Enter zooms in'],
    ],
  },

  account: 'Account:',
  profile: 'Profile and password',
  apiReference: 'API reference',
  signOut: 'Sign out',
  organization: 'Organization:',
  organizations: 'Organizations',

  language: (name: string) => `Language: ${name}`,
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'System',

  palette: {
    label: 'Page or command',
    placeholder: 'Page, policy, project, user, or log entry ID',
    results: 'Pages and commands',
    openEntry: (id: string) => `Open log entry ${id}`,
    searchLogs: (words: string) => `Search the log for “${words}”`,
    types: {
      page: 'Page',
      command: 'Command',
      policy: 'Policy',
      project: 'Project',
      user: 'User',
      entry: 'Log entry',
    },
    empty: 'No matches',
    lightTheme: 'Light theme',
    darkTheme: 'Dark theme',
    systemTheme: 'System theme',
  },

  idle: {
    title: 'Are you still there?',
    body: 'You will be signed out in {time} because of inactivity.',
    seconds: (left: number) => `${left} ${left === 1 ? 'second' : 'seconds'}`,
    signOut: 'Sign out now',
    stay: 'Stay signed in',
  },

  noProject:
    'You belong to no project yet, so you see no requests of others. Ask an owner or an admin to add you to one.',
  outage: (time: string) => `Disconnected, retrying. Last updated ${time}.`,
  unavailable: 'Page not loaded',
  unavailableTitle: 'The page cannot be loaded',
  unavailableBody: 'It opens automatically when the server delivers it.',
  failed: 'This page could not be displayed',
  notFound: 'Not found',
  noPage: 'This page does not exist',
  toDashboard: 'Go to the dashboard',
  noAccess: 'No access',
  roleDenied: (role: string) => `The role “${role}” cannot open this page`,
  permissionNeeded:
    'It requires the permission {permission}. Ask an owner or admin of your organization to grant it to you.',
} as const;

export const messages = translated('layout', english);
