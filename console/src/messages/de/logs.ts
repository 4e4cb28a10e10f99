import { counted, form } from '../counted';
import type { Dictionary } from '../dictionary';

const entriesOf = (entries: number) => counted(entries, 'Eintrag', 'Einträge');
const number = (value: number | null | undefined) => value?.toLocaleString('de') ?? '–';

export const messages: Dictionary['logs'] = {
  title: 'Live-Protokoll',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  columns: 'Spalten',
  resize: (column) => `Breite von ${column}`,
  usualWidth: 'Automatisch',
  facets: 'Facetten',
  table: 'Protokolleinträge',
  showNew: (entries) => `${counted(entries, 'neuen Eintrag', 'neue Einträge')} anzeigen`,
  loaded: (entries) => `${entriesOf(entries)} geladen`,
  zone: (name) => `Zeiten in ${name}`,
  loadingOlder: 'Ältere Einträge werden geladen…',
  scrollForOlder: 'Scrollen Sie, um ältere Einträge zu laden.',

  histogram: {
    label: 'Einträge im Zeitverlauf',
    lastDay: 'Die letzten 24 Stunden. Wählen Sie einen Zeitraum, um andere zu sehen.',
    chart: 'Einträge im Zeitverlauf nach Ergebnis',
    bar: (label, entries) => `${label}: ${entriesOf(entries)}`,
    since: (time) => `Gezählt seit ${time}: die neuesten 5.000 passenden Einträge.`,
  },

  live: {
    live: 'Live',
    paused: 'Angehalten',
    past: 'Vergangener Zeitraum',
    connecting: 'Verbindung wird hergestellt…',
    failed: (error) => `Live-Aktualisierung fehlgeschlagen: ${error}`,
  },

  empty: {
    clear: 'Filter löschen',
    title: 'Noch keine Anfragen',
    body: 'Einträge Ihrer Projekte erscheinen hier innerhalb einer Sekunde nach dem ersten Aufruf.',
    action: 'Anfrage aus dem Playground senden',
  },

  search: {
    label: 'Filter',
    misspelled: (keyword, meant) => `Kein Feld heißt „${keyword}“, daher wird im Text gesucht. Meinten Sie ${meant}?`,
    placeholder: 'decision:block guardrail:pii user:ann risk:high app:chat last:24h "Wörter im Text"',
    refused: 'Keine Einträge für diesen Filter',
    refusedBody: 'Der Dienst weist einen Wert des Filters ab. Korrigieren Sie ihn oben.',
    clear: 'Filter löschen',
  },

  fields: {
    time: 'Zeit',
    decision: 'Entscheidung',
    triggered: 'Ausgelöst',
    text: 'Text',
    safety: 'Sicherheit',
    risk: 'Risiko',
    guardrail: 'Schutzregel',
    project: 'Projekt',
    policy: 'Richtlinie',
    user: 'Benutzer',
    application: 'Anwendung',
    endpoint: 'Endpunkt',
    direction: 'Richtung',
    latency: 'Latenz',
    outcome: 'Ergebnis',
    feedback: 'Rückmeldung',
    shadow: 'Schatten',
    shadowPolicy: 'Schattenrichtlinie',
    language: 'Sprache',
    caller: 'Aufrufer',
    endUser: 'Endbenutzer',
    device: 'Gerät',
    context: 'Kontext',
    conversation: 'Unterhaltung',
    surface: 'Schnittstelle',
    foreignId: 'Aufruf-ID des Clients',
    processingTime: 'Verarbeitungszeit',
    modelTime: 'Zeit des Modells',
    promptTokens: 'Prompt-Token',
    completionTokens: 'Antwort-Token',
    tokens: 'Token',
    credits: 'Credits',
    model: 'Modell',
    logId: 'Protokoll-ID',
  },
  tokens: (prompt, completion) => `${number(prompt)} + ${number(completion)}`,
  copyLogId: 'Protokoll-ID kopieren',
  policyVersion: (version) => `Version ${version ?? '–'}`,
  endpointAndDirection: (endpoint, direction) => `${endpoint}, ${direction}`,
  more: (others) => `+${others}`,

  countedAll: (entries) => `${form(entries, 'Gezählt über', 'Gezählt über alle')} ${entriesOf(entries)}.`,
  countedNewest: (entries) => `Gezählt über die neuesten ${entriesOf(entries)}.`,

  export: {
    button: 'Exportieren',
    csv: 'CSV, für Tabellenkalkulationen',
    jsonl: 'JSON Lines, für Programme',
    labeled: 'Einträge mit Rückmeldung als gekennzeichnete Texte, für guardengine eval',
    done: 'Export gespeichert. Er ist im Audit-Protokoll verzeichnet.',
  },

  entry: {
    title: 'Anfrage',
    newer: 'Neuerer Eintrag',
    older: 'Älterer Eintrag',
    safety: 'Sicherheit {score} von 100',
    beforeMasking: (risk, score) => `Risiko vor der Maskierung: ${risk} (Sicherheit ${score} von 100)`,
    decidedBy: 'Grund:',
    details: 'Einzelheiten',
    playground: 'Im Playground öffnen',
    replay: 'Mit einem Entwurf der Richtlinie neu auswerten',
    sameUser: 'Mehr von diesem Benutzer anzeigen',
    sameApplication: 'Mehr von dieser Anwendung anzeigen',
  },

  places: {
    document: (number: number) => `in Dokument ${number}`,
    image: (number: number) => `in Bild ${number}`,
    turn: (number: number) => `in Beitrag ${number} des Verlaufs`,
    transcript: 'im Transkript',
  },

  findings: {
    label: 'Schutzregeln',
    title: 'Schutzregeln',
    help: 'Konfidenz von 0 bis 1. Eine Schutzregel löst ab ihrem Schwellenwert aus, dem Strich auf dem Balken.',
    none: 'Keine Schutzregel ausgelöst.',
    belowThreshold: (guardrails) => `Nicht ausgelöst: ${counted(guardrails, 'Schutzregel', 'Schutzregeln')}`,
    noConfidences: 'Das Protokoll enthält nur die Schutzregeln, die ausgelöst haben.',
  },

  text: {
    label: 'Text',
    title: 'Gespeicherter Text',
    none: 'Der Text wurde nicht gespeichert: Der Protokollinhalt dieses Projekts ist „none“.',
    incomplete:
      'Personenbezogene Daten wurden vor dem Speichern maskiert. Befunde nach dem ersten maskierten Wert sind nicht ' +
      'hervorgehoben.',
    decoded: (evidence) => `Dekodierter Text: ${evidence}`,
  },

  reveal: {
    button: 'Text aufdecken',
    title: 'Originaltext aufdecken?',
    submit: 'Aufdecken',
    reason: 'Grund',
    reasonHint: 'Der Grund, Ihr Name und dieser Eintrag werden im Audit-Protokoll verzeichnet.',
    notSealed: 'Der Originaltext wurde nicht gespeichert. Projekte mit dem Protokollinhalt „sealed“ speichern ihn.',
    notPermitted: 'Das Aufdecken des Originaltexts erfordert die Berechtigung LOGS:REVEAL_TEXT.',
    original: 'Originaltext',
    recorded: 'Originaltext. Der Zugriff ist im Audit-Protokoll verzeichnet.',
  },

  timing: {
    label: 'Zeitverlauf',
    title: (ms) => `Zeitaufwand: insgesamt ${ms} ms`,
    duration: (ms) => `${ms} ms`,
    stages: {
      policy: 'Richtlinie und Guthaben',
      waiting: 'Warten auf einen CPU-Kern',
      media: 'Bilder und Audio',
      reading: 'Dekodieren des Textes',
      scores: 'Werte der Klassifikatoren',
      opinion: 'Sprachmodell',
      verdict: 'Detektoren und Entscheidung',
      upstream: 'Modell hinter dem Gateway',
    },
  },

  feedback: {
    label: 'Rückmeldung',
    given: (name) => `Rückmeldung: ${name}`,
    givenWithNote: (name, note) => `Rückmeldung: ${name}. ${note}`,
    dialog: (name) => `Als ${name} melden`,
    submit: 'Rückmeldung speichern',
    note: 'Notiz',
    noteHint:
      'Begründen Sie die Meldung für alle, die diesen Eintrag später prüfen. Die Notiz steht auch im Audit-Protokoll.',
    saved: 'Rückmeldung gespeichert.',
    removed: 'Rückmeldung entfernt.',
    undone: 'Rückmeldung wiederhergestellt.',
  },

  bulk: {
    correct: 'Richtig (keine Rückmeldung)',
    done: (entries) => `Rückmeldung für ${counted(entries, 'Eintrag', 'Einträge')} gespeichert.`,
    unchanged: 'Alle ausgewählten Einträge haben diese Rückmeldung bereits.',
    failed: (entries) => `${counted(entries, 'Eintrag konnte', 'Einträge konnten')} nicht geändert werden.`,
    tooMany: (most) => `Wählen Sie höchstens ${counted(most, 'Eintrag', 'Einträge')} aus, um Rückmeldung zu geben.`,
  },

  exception: {
    button: 'Ausnahme hinzufügen',
    title: (policy) => `Ausnahme in ${policy}`,
    submit: 'Zum Entwurf hinzufügen',
    scope: 'Gilt für',
    one: (guardrail) => `Nur ${guardrail}`,
    all: 'Alle Schutzregeln',
    words: 'Zugelassene Wörter',
    wordsHint: 'Groß- und Kleinschreibung und mehrfache Leerzeichen werden ignoriert.',
    effectOne: (guardrail) =>
      `Text mit diesen Wörtern überspringt die Schutzregel „${guardrail}“. Alle anderen Schutzregeln gelten weiterhin.`,
    effectAll:
      'Text mit diesen Wörtern überspringt Blockierungen durch Schutzregeln. Maskierung, Sperrliste und Längengrenze ' +
      'gelten weiterhin.',
    advice:
      'Wählen Sie Wörter, die nur in harmlosem Text vorkommen. Solche Anfragen werden als „Würde blockieren“ protokolliert.',
    draft: (policy) => `Nichts ändert sich, bis Sie den Entwurf von ${policy} veröffentlichen.`,
  },

  chips: {
    label: 'Bedingungen',
    is: 'ist',
    isNot: 'ist nicht',
    turn: (field, value, isNot) =>
      isNot ? `${field} ist nicht ${value}: nur diese anzeigen` : `${field} ist ${value}: diese ausblenden`,
    remove: (field, value) => `Bedingung ${field} ${value} entfernen`,
    names: {
      decision: 'Entscheidung',
      outcome: 'Ergebnis',
      guardrail: 'Schutzregel',
      risk: 'Risiko',
      mark: 'Rückmeldung',
      source_app: 'Anwendung',
      username: 'Benutzer',
      principal: 'Aufrufer',
      surface: 'Schnittstelle',
      conversation_id: 'Unterhaltung',
    },
  },

  views: {
    title: 'Ansichten',
    none: 'Noch keine gespeicherten Ansichten. Speichern Sie die aktuellen Filter, den Zeitraum und die Spalten unter einem Namen.',
    save: 'Diese Ansicht speichern',
    manage: 'Ansichten löschen',
    shared: 'Geteilt',
    share: 'Mit der Organisation teilen',
    help: 'Speichert die Filter, den Zeitraum und die Spalten.',
    saved: (name) => `Ansicht „${name}“ gespeichert.`,
    remove: (name) => `Ansicht ${name} löschen`,
  },
};
