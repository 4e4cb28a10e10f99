import type { Dictionary } from '../dictionary';

export const messages: Dictionary['invitations'] = {
  invite: 'Einladen',
  newTitle: 'Benutzer einladen',
  createLink: 'Link erstellen',
  validFor: 'Gültig für',
  lifetimes: { day: '1 Tag', days: '3 Tage', week: '7 Tage', month: '30 Tage' },
  note: 'Notiz',
  noteHint: 'Für Sie und andere Administratoren. Die eingeladene Person sieht sie nicht.',
  linkTitle: 'Einladungslink',
  linkNote: (role, until) =>
    `Senden Sie diesen Link an eine Person. Wer ihn bis ${until} zuerst öffnet und annimmt, tritt mit der Rolle ${role} bei. Er wird nur einmal angezeigt.`,
  copyLink: 'Link kopieren',
  open: 'Offene Einladungen',
  createdBy: 'Eingeladen von',
  expires: 'Läuft ab',
  revoke: 'Widerrufen',
  revokeTitle: 'Einladung widerrufen?',
  revokeBody: 'Der Link funktioniert sofort nicht mehr.',

  pageTitle: 'Organisation beitreten',
  invites: '{inviter} lädt Sie zu {organization} ein. Ihre Rolle wird {role} sein.',
  validUntil: (until) => `Gültig bis ${until}.`,
  closed:
    'Diese Einladung ist nicht gültig: Sie wurde verwendet oder widerrufen, oder sie ist abgelaufen. Öffnen Sie den vollständigen Link, oder bitten Sie um einen neuen.',
  toSignIn: 'Zur Anmeldung',
  newPassword: 'Neues Passwort',
  password: 'Passwort',
  existingHint: 'Das Passwort Ihres Kontos in einer anderen Organisation.',
  createAndJoin: 'Konto erstellen und beitreten',
  join: 'Beitreten',
  useExisting: 'Vorhandenes Konto verwenden',
  useNew: 'Neues Konto erstellen',
  taken: 'Dieser Benutzername ist vergeben. Wählen Sie einen anderen, oder verwenden Sie Ihr vorhandenes Konto.',
  alreadyMember: 'Dieses Konto gehört bereits zu der Organisation. Melden Sie sich stattdessen an.',
  wrongPassword: 'Falscher Benutzername oder falsches Passwort.',
};
