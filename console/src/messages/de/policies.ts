import { counted, form } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['policies'] = {
  title: 'Richtlinien',
  intro:
    'Eine Richtlinie legt fest, was erkannt wird und was dann geschieht. Ein Projekt wählt die Richtlinie für eine ' +
    'Anwendung.',
  create: 'Richtlinie erstellen',
  emptyTitle: 'Noch keine Richtlinien',
  emptyBody:
    'Bis Sie eine erstellen, gilt die Standardrichtlinie: alle Schutzregeln, die keine Einstellungen brauchen. ' +
    'Beginnen Sie mit einer Vorlage und passen Sie sie an.',
  direction: 'Richtung',
  modes: { input: 'Prompts', output: 'Antworten', unified: 'Prompts und Antworten' },
  guardrails: 'Schutzregeln',
  projects: 'Projekte',
  shadowed: (project) => `${project} (Schatten)`,
  version: 'Version',
  updated: 'Aktualisiert',

  new: {
    title: 'Neue Richtlinie',
    startFrom: 'Beginnen mit',
    fromDefault: 'Allen Schutzregeln, die keine Einstellungen brauchen',
    fromDescription: 'Einer Beschreibung (ein Sprachmodell schreibt den Entwurf)',
    purpose: 'Wofür ist die Richtlinie?',
    purposePlaceholder:
      'Ein Chat für Bankkunden. Personenbezogene Daten sollen das Modell nicht erreichen, und Versuche, seine Rolle zu ' +
      'ändern, sollen blockiert werden.',
    namePlaceholder: 'Kundendienst',
  },

  page: {
    title: 'Richtlinie',
    missing: 'Diese Richtlinie gibt es nicht',
    all: 'Alle Richtlinien anzeigen',
    test: 'Im Playground testen',
    locked: 'Ihre Rolle darf Richtlinien ansehen, aber nicht ändern.',
    sections: 'Abschnitte der Richtlinie',
    tabs: {
      guardrails: 'Schutzregeln',
      keywords: 'Schlüsselwörter',
      general: 'Allgemein',
      json: 'JSON',
      compliance: 'Compliance',
      replay: 'Neuauswertung',
      shadow: 'Schatten',
      versions: 'Versionen',
    },
    deleteTitle: 'Richtlinie löschen?',
    deleteBody:
      '{name} und alle Versionen werden endgültig gelöscht. Kein Projekt darf die Richtlinie verwenden, auch nicht als ' +
      'Schattenrichtlinie.',
  },

  json: {
    title: 'Richtlinie als JSON',
    note: 'Strg Leertaste vervollständigt Felder und Werte.',
    changes: 'Änderungen anzeigen',
    copy: 'Richtlinie als JSON kopieren',
    applied: 'In den Entwurf übernommen.',
    notApplied: 'Nicht in den Entwurf übernommen: Korrigieren Sie zuerst die unterstrichenen Stellen.',
  },

  draft: {
    published:
      'Version {version}, veröffentlicht {time}. Änderungen bleiben als Entwurf in diesem Tab, bis Sie sie veröffentlichen.',
    changes: (changes, version) => `Entwurf: ${counted(changes, 'Änderung', 'Änderungen')} seit Version ${version}`,
    discarded: 'Entwurf verworfen.',
    discard: 'Entwurf verwerfen',
    compare: 'Vergleichen und veröffentlichen',
    title: (version) => `Änderungen an Version ${version}`,
    publish: 'Veröffentlichen',
    done: 'Veröffentlicht. Die Richtlinie gilt für neue Anfragen.',
  },

  changes: {
    table: 'Änderungen',
    none: 'Keine Änderungen.',
    field: 'Feld',
    before: 'Vorher',
    after: 'Nachher',
    absent: 'Nicht in der Richtlinie',
    on: (action) => `An, ${action}`,
    off: 'Aus',
    ofGuardrail: (guardrail, field) => `${guardrail}: ${field}`,
  },

  general: {
    description: 'Beschreibung',
    modes: {
      unified: 'Prompts und Antworten',
      input: 'Prompts (vor dem Modell)',
      output: 'Antworten (vor dem Benutzer)',
    },
    maxLength: 'Maximale Promptlänge (Zeichen)',
    maxLengthHint: 'Längere Prompts werden blockiert.',
    incomplete: 'Wenn eine Anfrage nicht vollständig gelesen wurde',
    incompleteHint:
      'Zum Beispiel ein unlesbares Bild, zu tief verschachtelter Text oder mehr, als eine Grenze erlaubt.',
    budget: 'Schwellenwerte für ein Fehlalarmbudget wählen',
    budgetShare: 'Fehlalarme (% der harmlosen Texte)',
    budgetHint:
      'Gilt für jede Schutzregel. Ein neues Budget setzt beim Veröffentlichen alle Schwellenwerte, die Sie in diesem ' +
      'Entwurf nicht geändert haben.',
    model: 'Sprachmodell für Zweitmeinungen',
    oldestModel: 'Ältester aktiver KI-Konnektor',
    otherModel: 'Anderer Konnektor',
    modelHint: 'Wird nur für Anfragen mit enable_llm_reasoning verwendet.',
    mayLower: (amount) => `Darf eine Konfidenz um bis zu ${amount} senken`,
    mayLowerHint: '0: Entscheidungen können strenger werden, aber nie milder.',
  },

  guardrail: {
    groups: {
      data_protection: 'Datenschutz und Privatsphäre',
      legal_compliance: 'Recht und Compliance',
      fairness_ethics: 'Fairness und Ethik',
    },
    enabledOf: (enabled, all) => `· ${enabled} von ${all} aktiviert`,
    only: { input: 'Nur Prompts', output: 'Nur Antworten' },
    enable: (guardrail) => `${guardrail} aktivieren`,
    action: 'Aktion',
    ticket: 'Ticket',
    noConnector: 'Kein Konnektor',
    terms: 'Vertrauliche Begriffe (einer pro Zeile)',
    threshold: (guardrail) => `Schwellenwert: ${guardrail}`,
    thresholdNumber: (guardrail) => `Schwellenwert als Zahl: ${guardrail}`,
    measured: 'Bei diesem Schwellenwert gemessen: Trefferquote {recall}, Fehlalarme {falsePositives}',
    unknown: 'unbekannt',
    appliesTo: 'Gilt für',
    appliesToFor: (guardrail) => ` (${guardrail})`,
    sources: {
      prompt: 'Prompts',
      history: 'frühere Beiträge',
      documents: 'Dokumente und Werkzeugergebnisse',
      response: 'Antworten',
      media: 'Bilder und Audio',
    },
    exceptions: 'Ausnahmen',
    exceptionsFor: (guardrail) => ` für ${guardrail}`,
    exceptionCount: (phrases) => `: ${phrases || 'keine'}`,
    exceptionsLabel: 'Text mit einer dieser Wendungen überspringt diese Schutzregel (eine pro Zeile)',
  },

  masking: {
    enable: 'Personenbezogene Daten maskieren und den Text zulassen',
    strategy: 'Strategie',
    restorable: 'wiederherstellbar',
    types: (selected, all) => (selected === 0 ? `Datentypen: alle ${all}` : `Datentypen: ${selected} von ${all}`),
    search: 'Datentypen suchen',
    all: 'Alle erkennen',
    list: 'Datentypen',
    noType: 'Keine Treffer',
    action: 'Die Maskierung ersetzt die Aktion.',
  },

  piiRules: {
    summary: (rules) => (rules === 0 ? 'Einstellungen der Datentypen' : `Einstellungen der Datentypen: ${rules}`),
    table: 'Einstellungen der Datentypen',
    of: (field, number) => `${field} von Einstellung ${number}`,
    type: 'Typ',
    direction: 'Richtung',
    both: 'Beide',
    input: 'Prompts',
    output: 'Antworten',
    threshold: 'Schwellenwert',
    strategy: 'Strategie',
    same: 'Wie oben',
    allow: 'Zugelassene Werte',
    removal: 'Entfernen',
    remove: (number) => `Einstellung ${number} entfernen`,
    add: 'Einstellung hinzufügen',
    note: 'Zugelassene Werte, einer pro Zeile, werden durchgelassen. Schreiben Sie /…/ für einen regulären Ausdruck. Die letzte Einstellung eines Typs zählt.',
  },

  customPii: {
    summary: (types) => (types === 0 ? 'Eigene Datentypen' : `Eigene Datentypen: ${types}`),
    table: 'Eigene Datentypen',
    of: (field, number) => `${field} von eigenem Typ ${number}`,
    name: 'Name',
    defaultName: (number) => `eigener_typ_${number}`,
    pattern: 'Regulärer Ausdruck',
    labels: 'Bezeichnungen',
    checksum: 'Prüfsumme',
    none: 'Keine',
    removal: 'Entfernen',
    remove: (number) => `Eigenen Typ ${number} entfernen`,
    add: 'Eigenen Typ hinzufügen',
    note: 'Mit Bezeichnungen, einer pro Zeile, zählt ein Wert nur in der Nähe von einer davon. Eigene Typen werden unabhängig von den ausgewählten Datentypen erkannt.',
  },

  patterns: {
    name: (number) => `Name von Muster ${number}`,
    defaultName: (number) => `Muster ${number}`,
    expression: 'Regulärer Ausdruck',
    remove: (number) => `Muster ${number} entfernen`,
    add: 'Muster hinzufügen',
    sample: 'Beispieltext',
    sampleText: 'Die Bestellung ACME-12345 wurde versandt, ACME-9 nicht.',
    matches: (matches) =>
      `${counted(matches, 'Treffer', 'Treffer')} in diesem Browser. Der Dienst prüft das Muster bei der Veröffentlichung.`,
  },

  topics: {
    note: 'Geben Sie zehn oder mehr Beispiele in jeder Sprache, in der das Thema erkannt werden soll. Andere Sprachen werden nicht erkannt.',
    topic: (number) => `Thema ${number}`,
    name: 'Name des Themas',
    defaultName: (number) => `Thema ${number}`,
    description: 'Notiz für Menschen',
    remove: (number) => `Thema ${number} entfernen`,
    add: 'Thema hinzufügen',
    examples: 'Beispiele (eines pro Zeile, 3 bis 50)',
    counterexamples: 'Ähnliche Texte, die nicht vom Thema handeln (einer pro Zeile)',
    unmeasured: 'Veröffentlichen Sie die Richtlinie, um die erwarteten Fehlalarme zu sehen.',
    expected: (share) => `Erwartete Fehlalarme beim veröffentlichten Schwellenwert: ${share} der harmlosen Texte`,
  },

  references: {
    document: (number) => `Referenzdokument ${number}`,
    remove: (number) => `Referenzdokument ${number} entfernen`,
    add: 'Referenzdokument hinzufügen',
    note: 'Passagen dieser Dokumente werden erkannt, wenn sie in einem Text vorkommen.',
  },

  ticket: {
    summary: 'Text des Tickets',
    title: 'Titel',
    titlePlaceholder: '{guardrail} in {project}',
    titleHint: 'Variablen: {guardrail}, {project}, {risk_level}, {reason} und andere.',
    priority: 'Priorität',
    priorityPlaceholder: 'High',
    labels: 'Labels',
    labelsPlaceholder: 'guardengine security',
  },

  keywords: {
    blockList: 'Sperrliste',
    blockNote: 'Text mit einem dieser Schlüsselwörter wird blockiert, unabhängig von den Schutzregeln.',
    allowList: 'Zulassungsliste',
    allowNote:
      'Text mit einem dieser Schlüsselwörter überspringt Blockierungen durch Schutzregeln. Die Maskierung gilt weiterhin.',
    count: (keywords) => `${keywords.toLocaleString('de')} von 10.000 Schlüsselwörtern`,
    import: 'Importieren',
    importInto: (list) => `: Schlüsselwörter aus einer Datei in die ${list}`,
    label: (list) =>
      `${list}, ein Schlüsselwort pro Zeile. Groß- und Kleinschreibung und mehrfache Leerzeichen werden ignoriert.`,
  },

  compliance: {
    frameworks: 'Rahmenwerke',
    legend: 'Compliance-Rahmenwerke dieser Richtlinie',
    region: 'Region',
    regionPlaceholder: 'EU',
    controls: (version) => `Von Version ${version} unterstützte Kontrollen`,
    note: 'Technische Unterstützung für ein Audit, kein Nachweis der Konformität',
    none: 'Die veröffentlichte Version nennt kein bekanntes Rahmenwerk. Wählen Sie eines aus und veröffentlichen Sie.',
    unknown: (names) => `Gespeichert, aber ohne bekannte Kontrollen: ${names}.`,
    supportedOf: (supported, all) => `· ${supported} von ${all} unterstützt`,
    supported: 'Unterstützt',
    notSupported: 'Nicht unterstützt',
    by: (guardrails) => `durch ${guardrails}`,
    requires: (guardrails) => `erfordert ${guardrails}`,
    outOfScope: 'außerhalb dessen, was Schutzregeln leisten',
  },

  replay: {
    title: 'Neuauswertung',
    denied: 'Die Neuauswertung liest das Protokoll und erfordert die Berechtigung LOGS:VIEW_LOG.',
    ofDraft: 'Entwurf, über gespeicherte Anfragen',
    ofPublished: 'Veröffentlichte Version, über gespeicherte Anfragen',
    before: (limit, days) =>
      `Wertet bis zu ${counted(limit, 'gespeicherte Anfrage', 'gespeicherte Anfragen')} der letzten ` +
      `${counted(days, 'Tages', 'Tage')} neu aus, die neuesten zuerst. Nichts wird protokolliert oder berechnet. Es läuft ` +
      'immer nur eine Neuauswertung. Maskierte Texte enthalten Markierungen statt personenbezogener Daten.',
    progressLabel: 'Neu ausgewertete Anfragen',
    progress: (requests, limit) =>
      `${requests.toLocaleString('de')} von bis zu ${counted(limit, 'Anfrage', 'Anfragen')}`,
    stop: 'Anhalten',
    days: 'Zeitraum (Tage)',
    limit: 'Einträge pro Lauf',
    run: 'Neu auswerten',
    older: 'Ältere Einträge neu auswerten',
    ownProjects: 'Projekte dieser Richtlinie',
    noProject: 'Kein Projekt verwendet diese Richtlinie. Wählen Sie ein Projekt oder alle Projekte.',
    summary: (replayed, blocked, allowed, decided) =>
      `Von ${counted(replayed, 'Anfrage', 'Anfragen')} ${form(blocked, 'würde', 'würden')} ` +
      `${blocked.toLocaleString('de')} neu blockiert, ${allowed.toLocaleString('de')} neu zugelassen und ` +
      `${decided.toLocaleString('de')} anders entschieden.`,
    same: (replayed) => `Von ${counted(replayed, 'Anfrage', 'Anfragen')} würde keine anders entschieden.`,
    otherGuardrails: (entries) =>
      `${counted(entries, 'Anfrage würde', 'Anfragen würden')} andere Schutzregeln auslösen, bei gleicher Entscheidung.`,
    uncertain: (entries) =>
      `${counted(entries, 'weitere Änderung kann', 'weitere Änderungen können')} von maskiertem Text kommen.`,
    skipped: (entries) => `${counted(entries, 'Anfrage konnte', 'Anfragen konnten')} nicht neu ausgewertet werden.`,
    emptyTitle: 'Keine Anfragen für die Neuauswertung',
    emptyBody:
      'In diesem Zeitraum gibt es keine gespeicherte Anfrage. Wählen Sie einen längeren Zeitraum oder andere Projekte.',
    allSkipped: (entries) =>
      `${counted(entries, 'Anfrage', 'Anfragen')} dieses Zeitraums ${form(entries, 'konnte', 'konnten')} nicht neu ` +
      'ausgewertet werden: Die Texte wurden nicht gespeichert oder stammten aus Dokumenten.',
    kinds: {
      blocked: { title: 'Neu blockiert', note: 'Diese Anfragen kamen durch und würden angehalten.' },
      allowed: { title: 'Neu zugelassen', note: 'Diese Anfragen wurden angehalten und kämen durch.' },
      decided: {
        title: 'Anders entschieden',
        note: 'Ein ähnliches Ergebnis durch eine andere Aktion, etwa Maskieren.',
      },
      guardrails: {
        title: 'Andere Schutzregeln',
        note: 'Die Entscheidung bleibt, aber andere Schutzregeln lösen aus.',
      },
      masked: {
        title: 'Einträge mit maskiertem Text',
        note:
          'Die Richtlinie sah Markierungen statt der personenbezogenen Daten. Für den Originaltext kann die Entscheidung ' +
          'anders ausfallen.',
      },
    },
    request: 'Anfrage',
    decision: 'Damalige Entscheidung',
    newDecision: 'Neue Entscheidung',
    triggeredBefore: 'Damals ausgelöst',
    triggered: 'Jetzt ausgelöst',
    nothing: 'Keine Schutzregel',
    comparison: 'Beide Entscheidungen',
    previousChange: 'Vorherige Änderung',
    nextChange: 'Nächste Änderung',
    openEntry: 'Protokolleintrag öffnen',
  },

  shadow: {
    title: 'Schatten',
    note: 'Wertet echte Anfragen aus, ohne Entscheidungen zu beeinflussen',
    table: 'Projekte, denen diese Richtlinie als Schatten folgt',
    empty: 'Diese Richtlinie folgt keinem Projekt als Schatten.',
    activePolicy: 'Aktive Richtlinie',
    lastWeek: 'Letzte 7 Tage',
    stop: 'Schattenbetrieb beenden',
    another: 'Einem weiteren Projekt folgen',
    choose: 'Projekt auswählen',
    start: 'Schattenbetrieb starten',
    saveDraft: 'Entwurf als neue Richtlinie speichern',
    draftName: (policy, version) => `${policy} (Entwurf von Version ${version})`,
    draftSaved:
      'Der Entwurf wurde als neue Richtlinie gespeichert. Wählen Sie ein Projekt, dem sie als Schatten folgen soll.',
    wouldBlock: (more, all) => `${more} von ${all} Anfragen wären zusätzlich blockiert worden`,
  },

  versions: {
    title: 'Versionen',
    count: (versions) => counted(versions, 'Version', 'Versionen'),
    current: 'Aktuell',
    author: 'Autor',
    published: 'Veröffentlicht',
    compare: 'Vergleichen',
    compareWith: (version) => `: Version ${version}`,
    older: 'Ältere Versionen laden',
    changes: (version) => `Änderungen von der aktuellen Version zu Version ${version}`,
    rollBack: (version) => `Auf Version ${version} zurücksetzen`,
    rolledBack: 'Zurückgesetzt. Die frühere Version wurde als neue Version veröffentlicht.',
  },
};
