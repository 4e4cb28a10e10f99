import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['audit'] = {
  title: 'Audit-Protokoll',
  intro:
    'Verwaltungsaufrufe, Anmeldungen und Demaskierungen. Die Einträge bilden eine Hashkette, die veränderte Einträge ' +
    'sichtbar macht.',
  action: 'Aktion',
  everyAction: 'Alle Aktionen',
  principal: 'Akteur',
  everyPrincipal: 'Alle',
  users: 'Benutzer',
  apiKeys: 'API-Schlüssel',
  system: 'System',
  otherFilter: 'Ausgewählt',
  operatorActions: 'Befehle des Betreibers',
  areas: {
    FIREWALL_POLICIES: 'Richtlinien',
    EVALUATION: 'Evaluierung',
    PROJECTS: 'Projekte',
    CONNECTORS: 'Konnektoren und Alarme',
    FIREWALL: 'Maskierung',
    LOGS: 'Protokoll',
    REVIEWS: 'Prüfungen',
    API_KEYS: 'API-Schlüssel',
    USERS: 'Benutzer',
    ROLES: 'Rollen',
    SESSIONS: 'Sitzungen',
    ORGANIZATION: 'Organisation',
  },
  number: 'Nr.',
  time: 'Zeit',
  target: 'Ziel',
  changes: 'Änderungen',
  moreChanges: (changes) => `und ${counted(changes, 'weitere Änderung', 'weitere Änderungen')}`,
  older: 'Ältere Einträge laden',
  empty: 'Keine Audit-Einträge',
  emptyBody: 'In diesem Zeitraum passt kein Eintrag zu den Filtern.',
  clear: 'Filter entfernen',

  entry: (number) => `Audit-Eintrag ${number}`,
  newer: 'Neuerer Eintrag',
  olderEntry: 'Älterer Eintrag',
  missing: 'Diesen Eintrag gibt es nicht, oder er wurde nach seiner Aufbewahrungsfrist gelöscht.',
  address: 'Adresse',
  noAddress: 'Auf dem Server selbst',
  noChanges: 'Dieser Eintrag hat keine Einzelheiten.',
  raw: 'Gespeicherter Eintrag',
  copyRaw: 'Gespeicherten Eintrag kopieren',
  same: 'Alle Einträge mit dieser Aktion anzeigen',
  samePrincipal: 'Alle Einträge dieses Akteurs anzeigen',

  verify: 'Überprüfen',
  verifyTitle: 'Audit-Protokoll überprüfen',
  checkedFrom: (entries, first, last) =>
    `${counted(entries, 'Eintrag', 'Einträge')} überprüft, Nummern ${first} bis ${last}.`,
  noEntries: 'Es gibt keine Einträge zu überprüfen.',
  sound: 'Jeder Eintrag ist so, wie er geschrieben wurde.',
  broken: (number) => `Eintrag ${number} wurde verändert oder fehlt.`,
  openBroken: 'Einträge an dieser Stelle anzeigen',
  deletedBefore: (number) => `Die Einträge bis ${number} wurden nach ihrer Aufbewahrungsfrist gelöscht.`,
  unkeyedBefore: (number) =>
    `Einträge vor ${number} stammen aus einer früheren Version, die sie nicht mit einem Schlüssel schützte.`,
  head: 'Kopf der Kette',
  headHint:
    'Bewahren Sie ihn außerhalb dieses Systems auf. Damit bemerken Sie später Einträge, die am Ende abgeschnitten wurden.',
  copyHead: 'Kopf der Kette kopieren',
  keptHead: 'Mit einem aufbewahrten Kopf vergleichen',
  keptHeadHint: 'Ein früher kopierter Kopf, etwa 1234:9f86d0….',
  compare: 'Vergleichen',
  heads: {
    held: 'Die Kette enthält den aufbewahrten Kopf.',
    missing: 'Die Kette enthält den aufbewahrten Kopf nicht: Einträge wurden abgeschnitten oder ersetzt.',
    deleted:
      'Der Eintrag des aufbewahrten Kopfs wurde nach seiner Aufbewahrungsfrist gelöscht und ist nicht vergleichbar.',
  },

  export: {
    button: 'Exportieren',
    csv: 'CSV, für Tabellenprogramme',
    json: 'JSON, für Programme',
    progress: (entries) => `${counted(entries, 'Eintrag', 'Einträge')} geladen`,
    done: (entries) => `${counted(entries, 'Eintrag', 'Einträge')} exportiert.`,
    cut: (entries) =>
      `Die Datei enthält nur die neuesten ${counted(entries, 'Eintrag', 'Einträge')}. Wählen Sie einen kürzeren Zeitraum.`,
  },
};
