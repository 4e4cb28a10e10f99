/** Texts around every page: navigation, menus, warnings. */
export const messages = {
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
    policies: 'Policies',
    playground: 'Playground',
    projects: 'Projects',
    apiKeys: 'API keys',
    connectors: 'Connectors',
    users: 'Users',
    roles: 'Roles',
    credits: 'Credits',
    audit: 'Audit trail',
  },

  account: 'Account:',
  profile: 'Profile and password',
  apiReference: 'API reference',
  signOut: 'Sign out',
  organization: 'Organization:',
  organizations: 'Organizations',

  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'System',

  palette: {
    label: 'Page or command',
    placeholder: 'Type a page or command',
    results: 'Pages and commands',
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

  outage: (time: string) => `Disconnected, retrying. Last updated ${time}.`,
  unavailable: 'Page not loaded',
  unavailableTitle: 'The page cannot be loaded',
  unavailableBody: 'It opens by itself as soon as the server delivers it.',
  failed: 'This page could not be displayed',
  notFound: 'Not found',
  noPage: 'This page does not exist',
  toDashboard: 'Go to the dashboard',
  noAccess: 'No access',
  roleDenied: (role: string) => `The role “${role}” cannot open this page`,
  permissionNeeded:
    'It requires the permission {permission}. Ask an owner or admin of your organization to grant it to you.',
} as const;
