import { form } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['projects'] = {
  title: 'Projekte',
  intro: 'Ein Projekt je Anwendung. Die Anwendung sendet die Projekt-ID, und das Projekt legt die Richtlinie fest.',
  create: 'Projekt erstellen',
  emptyTitle: 'Noch keine Projekte',
  emptyBody:
    'Erstellen Sie für jede Anwendung eines, damit jede ihre eigene Richtlinie, eigene Protokolleinträge und ' +
    'Mitglieder hat.',
  policy: 'Richtlinie',
  shadow: (policy) => `Schatten: ${policy ?? '–'}`,
  logContent: 'Protokollinhalt',
  continues: 'Läuft ohne die Datenbank weiter',
  id: 'ID',
  copyId: (project) => `ID von ${project} kopieren`,
  updated: 'Aktualisiert',
  members: 'Mitglieder',
  viewLog: 'Protokoll anzeigen',
  deleteTitle: 'Projekt löschen?',
  deleteBody: 'Anfragen für {name} werden ab sofort abgelehnt. Die Protokolleinträge bleiben erhalten.',

  page: {
    sections: 'Abschnitte des Projekts',
    tabs: { overview: 'Überblick', members: 'Mitglieder', gateway: 'Gateway', connect: 'Verbinden' },
    all: 'Alle Projekte',
    missing: 'Projekt nicht gefunden',
    missingBody: 'Es existiert nicht, oder Sie sind kein Mitglied.',
    facts: 'Einstellungen',
    version: (version) => `Version ${version}`,
    totals: 'Anfragen des Projekts',
    requests: 'Anfragen',
    allowed: 'Erlaubt',
    blocked: 'Blockiert',
    masked: 'Maskiert',
    credits: 'Credits',
    unlogged: (requests) => `${requests} weitere ohne Protokolleintrag`,
    newestBlocked: 'Neueste blockierte Anfragen',
    noBlocked: 'In diesem Zeitraum wurde keine Anfrage blockiert',
    time: 'Zeit',
    guardrails: 'Schutzregeln',
    user: 'Benutzer',
    application: 'Anwendung',
    reason: 'Grund',
    open: (time) => `Eintrag von ${time} öffnen`,
    allBlocked: 'Im Live-Protokoll anzeigen',
  },

  newTitle: 'Neues Projekt',
  namePlaceholder: 'Support-Chat',
  policyMissing: 'Ein Projekt braucht eine Richtlinie. {link}',
  createPolicy: 'Erstellen Sie zuerst eine Richtlinie.',
  shadowPolicy: 'Schattenrichtlinie',
  shadowHint:
    'Wertet dieselben Anfragen aus, ohne Entscheidungen zu beeinflussen. Das Protokoll zeigt, wie sie entschieden hätte.',
  organizationDefault: 'Vorgabe der Organisation',
  logContents: {
    masked: 'Maskiert: personenbezogene Daten sind ersetzt',
    sealed: 'Versiegelt: maskiert, dazu das Original, das mit einem Grund aufgedeckt werden kann',
    full: 'Vollständig: Originaltext',
    none: 'Ohne: kein Text',
  },
  storeFailure: 'Wenn die Datenbank nicht verfügbar ist',
  storeFailures: { refuse: 'Anfragen ablehnen', spool: 'Weiterarbeiten und später protokollieren' },
  storeFailureHint:
    'Ablehnen: Prüfanfragen erhalten den Status 503, bis die Datenbank wieder da ist. Weiterarbeiten: Anfragen mit ' +
    'API-Schlüssel verwenden die zuletzt bekannte Richtlinie. Sie werden in eine Datei geschrieben und später ' +
    'protokolliert und berechnet. Die eingebettete Datenbank ist immer verfügbar.',

  gateway: {
    summary: (routes) => (routes === 0 ? 'Gateway' : `Gateway: ${routes} ${form(routes, 'Route', 'Routen')}`),
    table: 'Routen des Gateways',
    of: (field, number) => `${field} von Route ${number}`,
    model: 'Modell',
    connector: 'Konnektor',
    otherConnector: 'Anderer Konnektor',
    upstreamModel: 'Modell des Zielsystems',
    same: 'Gleicher Name',
    fallback: 'Ausweichziel',
    removal: 'Entfernen',
    remove: (number) => `Route ${number} entfernen`,
    add: 'Route hinzufügen',
    note: 'Die erste Route mit passendem Modell bearbeitet einen Aufruf. * steht für beliebige Zeichen. Ohne Routen ist das Gateway aus.',
    noConnector:
      'Routen brauchen einen Konnektor zu OpenAI, Azure OpenAI, Anthropic oder einem OpenAI-kompatiblen Server.',
    onBlock: 'Antwort auf blockierte Aufrufe',
    refusal: 'Ablehnung in der Form des Anbieters, mit Status 200',
    error: 'Fehler mit Status 400',
  },

  membersOf: (project) => `Mitglieder von ${project}`,
  addMember: 'Mitglied hinzufügen',
  memberRemoved: (username) => `${username} wurde aus dem Projekt entfernt.`,
  noMembers: 'Noch keine Mitglieder. Inhaber und Administratoren gehören jedem Projekt an.',
  user: 'Benutzer',
};
