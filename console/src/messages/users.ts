import { translated } from './translated';

/** Texts of the users page. */
const english = {
  title: 'Users',
  intro: 'Each user has one role in an organization. The role sets their permissions.',
  create: 'Create user',
  newTitle: 'New user',
  you: 'You',
  memberSince: 'Member since',
  lastActive: 'Last active',
  endSessions: 'End all sessions',
  endSessionsNote: 'Signs the user out of this organization. API keys keep working.',
  sessionsEnded: 'Sessions ended.',
  more: 'Load more users',
  usernameTaken: 'This username is taken. Choose another one.',
  password: 'Password',
  newPassword: 'New password (optional)',
  removeTitle: 'Remove the user?',
  removeBody: '{name} loses access to this organization immediately. Their API keys here stop working.',
} as const;

export const messages = translated('users', english);
