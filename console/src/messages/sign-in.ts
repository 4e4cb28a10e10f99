/** Texts of the sign-in page. */
export const messages = {
  documentTitle: 'Sign in · guardengine',
  title: 'Sign in to guardengine',
  tagline: 'The AI guardrail firewall',
  chooseOrganization: 'Choose an organization',
  password: 'Password',
  submit: 'Sign in',
  tryAgainIn: 'Try again in {time}.',
  anotherUser: 'Sign in as another user',
} as const;
