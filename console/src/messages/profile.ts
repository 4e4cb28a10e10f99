import { counted } from './common';
import { translated } from './translated';

/** Texts of the profile page. */
const english = {
  title: 'Profile',
  account: 'Your account',
  role: 'Role in this organization',
  organizations: 'Organizations',
  organization: (name: string, role: string) => `${name} (${role})`,
  permissions: 'Permissions',
  permissionCount: (granted: number) => counted(granted, 'permission'),

  changePassword: 'Change password',
  changePasswordNote: 'Ends your other sessions',
  current: 'Current password',
  new: 'New password',
  repeat: 'Repeat new password',
  mismatch: 'The new passwords do not match.',
  changed: 'Password changed.',

  sessions: 'Sessions',
  signedIn: 'Signed in',
  lastActive: 'Last active',
  organizationOf: 'Organization',
  thisSession: 'This session',
  endSession: 'End',
  endOthers: 'End all others',
  sessionsEnded: 'Session ended.',
} as const;

export const messages = translated('profile', english);
