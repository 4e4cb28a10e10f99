import type { Dictionary } from '../dictionary';

export const messages: Dictionary['signIn'] = {
  documentTitle: 'Anmelden · guardengine',
  title: 'Bei guardengine anmelden',
  tagline: 'Die Firewall mit Schutzregeln für KI',
  chooseOrganization: 'Organisation auswählen',
  password: 'Passwort',
  submit: 'Anmelden',
  tryAgainIn: 'Versuchen Sie es in {time} erneut.',
  anotherUser: 'Als anderer Benutzer anmelden',
};
