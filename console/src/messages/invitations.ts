import { translated } from './translated';

/** Texts of invitations: the dialog and list of the users page, and the page that accepts one. */
const english = {
  invite: 'Invite',
  newTitle: 'Invite a user',
  createLink: 'Create link',
  validFor: 'Valid for',
  lifetimes: { day: '1 day', days: '3 days', week: '7 days', month: '30 days' },
  note: 'Note',
  noteHint: 'For you and other administrators. The invited person does not see it.',
  linkTitle: 'Invitation link',
  linkNote: (role: string, until: string) =>
    `Send this link to one person. The first to accept it joins with the role ${role}. It is valid until ${until} and shown only once.`,
  copyLink: 'Copy link',
  open: 'Open invitations',
  noneOpen: 'No open invitations',
  noneOpenBody: 'Links that nobody has used yet appear here.',
  createdBy: 'Invited by',
  expires: 'Expires',
  revoke: 'Revoke',
  revokeTitle: 'Revoke the invitation?',
  revokeBody: 'The link stops working immediately.',

  pageTitle: 'Join an organization',
  invites: '{inviter} invites you to {organization}. Your role will be {role}.',
  validUntil: (until: string) => `Valid until ${until}.`,
  closed:
    'This invitation is not valid: it was used or revoked, or it expired. Open the whole link, or ask for a new one.',
  toSignIn: 'Go to sign-in',
  newPassword: 'New password',
  password: 'Password',
  existingHint: 'The password of your account in another organization.',
  createAndJoin: 'Create account and join',
  join: 'Join',
  useExisting: 'Use an existing account',
  useNew: 'Create a new account',
  taken: 'This username is taken. Choose another one, or use your existing account.',
  alreadyMember: 'This account belongs to the organization already. Sign in instead.',
  wrongPassword: 'Wrong username or password.',
} as const;

export const messages = translated('invitations', english);
