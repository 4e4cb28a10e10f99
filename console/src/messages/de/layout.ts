import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['layout'] = {
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  goTo: 'Gehe zu',
  shortcut: 'Strg K',
  pages: 'Seiten',

  groups: { observe: 'Beobachten', protect: 'Schützen', connect: 'Verbinden', organization: 'Organisation' },
  nav: {
    dashboard: 'Dashboard',
    logs: 'Live-Protokoll',
    reviews: 'Prüfungen',
    tickets: 'Tickets',
    alerts: 'Alarme',
    engine: 'Engine-Status',
    policies: 'Richtlinien',
    evaluation: 'Evaluierung',
    playground: 'Playground',
    projects: 'Projekte',
    gateway: 'Gateway und Clients',
    apiKeys: 'API-Schlüssel',
    connectors: 'Konnektoren',
    users: 'Benutzer',
    roles: 'Rollen',
    organization: 'Organisation',
    credits: 'Credits',
    audit: 'Audit-Protokoll',
  },

  shortcuts: {
    title: 'Tastenkürzel',
    open: 'Tastenkürzel',
    list: [
      [['Strg', 'K'], 'Seite, Richtlinie, Projekt, Benutzer oder Eintrag finden'],
      [['/'], 'Auf dieser Seite suchen oder filtern'],
      [['j', 'k'], 'Nächster und vorheriger Tabelleneintrag, auch bei geöffnetem Eintrag'],
      [['Enter'], 'Ausgewählten Eintrag öffnen'],
      [['a', 'd'], 'Die offene Prüfung oder die ausgewählten genehmigen oder ablehnen'],
      [['Esc'], 'Obersten Dialog schließen'],
      [['?'], 'Diese Tastenkürzel anzeigen'],
      [['←', '→'], 'Durch ein Diagramm bewegen; Enter wählt aus'],
      [['Umschalt', '←', '→'], 'Bereich eines Diagramms auswählen; Enter vergrößert'],
    ],
  },

  account: 'Konto:',
  profile: 'Profil und Passwort',
  apiReference: 'API-Referenz',
  signOut: 'Abmelden',
  organization: 'Organisation:',
  organizations: 'Organisationen',

  language: (name) => `Sprache: ${name}`,
  theme: 'Design',
  light: 'Hell',
  dark: 'Dunkel',
  system: 'System',

  palette: {
    label: 'Seite oder Befehl',
    placeholder: 'Seite, Richtlinie, Projekt, Benutzer oder ID eines Protokolleintrags',
    results: 'Seiten und Befehle',
    openEntry: (id) => `Protokolleintrag ${id} öffnen`,
    searchLogs: (words) => `Protokoll nach „${words}“ durchsuchen`,
    types: {
      page: 'Seite',
      command: 'Befehl',
      policy: 'Richtlinie',
      project: 'Projekt',
      user: 'Benutzer',
      entry: 'Protokolleintrag',
    },
    empty: 'Keine Treffer',
    lightTheme: 'Helles Design',
    darkTheme: 'Dunkles Design',
    systemTheme: 'Design des Systems',
  },

  idle: {
    title: 'Sind Sie noch da?',
    body: 'Sie werden wegen Inaktivität in {time} abgemeldet.',
    seconds: (left) => counted(left, 'Sekunde', 'Sekunden'),
    signOut: 'Jetzt abmelden',
    stay: 'Angemeldet bleiben',
  },

  noProject:
    'Sie gehören noch keinem Projekt an und sehen daher keine Anfragen anderer. Bitten Sie einen Inhaber oder einen Administrator, Sie in ein Projekt aufzunehmen.',
  outage: (time) => `Verbindung getrennt, neuer Versuch läuft. Zuletzt aktualisiert um ${time}.`,
  unavailable: 'Seite nicht geladen',
  unavailableTitle: 'Die Seite kann nicht geladen werden',
  unavailableBody: 'Sie öffnet sich automatisch, sobald der Server sie ausliefert.',
  failed: 'Diese Seite konnte nicht angezeigt werden',
  notFound: 'Nicht gefunden',
  noPage: 'Diese Seite gibt es nicht',
  toDashboard: 'Zum Dashboard',
  noAccess: 'Kein Zugriff',
  roleDenied: (role) => `Die Rolle „${role}“ darf diese Seite nicht öffnen`,
  permissionNeeded:
    'Sie erfordert die Berechtigung {permission}. Bitten Sie einen Inhaber oder Administrator Ihrer Organisation, sie ' +
    'Ihnen zu erteilen.',
};
