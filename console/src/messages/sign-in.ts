import { translated } from './translated';

/** Texts of the sign-in page. */
const english = {
  documentTitle: 'Sign in · guardengine',
  title: 'Sign in to guardengine',
  tagline: 'The AI guardrail firewall',
  chooseOrganization: 'Choose an organization',
  password: 'Password',
  submit: 'Sign in',
  tryAgainIn: 'Try again in {time}.',
  anotherUser: 'Sign in as another user',
} as const;

export const messages = translated('signIn', english);
