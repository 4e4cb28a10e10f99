import type { Dictionary } from '../dictionary';

export const messages: Dictionary['connectors'] = {
  title: 'Konnektoren',
  intro:
    'Cloud-Konten, Sprachmodelle, Ticketsysteme und Quellcode-Hosting. Geheimnisse werden verschlüsselt und nie angezeigt.',
  create: 'Konnektor erstellen',
  emptyTitle: 'Noch keine Konnektoren',
  emptyBody:
    'Nichts verlässt diese Maschine, bis Sie einen Konnektor hinzufügen, etwa ein Sprachmodell für Zweitmeinungen ' +
    'oder ein Ticketsystem für die Nachverfolgung.',
  type: 'Typ',
  states: { active: 'Aktiv', error: 'Fehler', disabled: 'Deaktiviert' },
  connected: (ms) => `Verbunden (${ms} ms)`,
  checked: 'Geprüft {time}',
  testFailed: 'Die Verbindung ist fehlgeschlagen.',
  deleteTitle: 'Konnektor löschen?',
  deleteBody: '{name} und seine Geheimnisse werden endgültig gelöscht. Keine Richtlinie darf ihn verwenden.',

  tools: {
    button: 'Werkzeuge',
    title: (connector) => `Werkzeuge von ${connector}`,
    intro:
      'Werkzeuge, wie sie zuerst aufgelistet wurden. Ändert sich die Definition eines Werkzeugs, wird es weder ' +
      'angeboten noch aufgerufen, bis die Änderung angenommen ist.',
    emptyTitle: 'Noch keine Werkzeuge',
    emptyBody: 'Sie erscheinen hier, wenn ein Client die Werkzeuge dieses Servers über den Dienst auflistet.',
    pinned: 'Festgelegt',
    changed: 'Geändert',
    seenAt: 'Zuerst aufgelistet {time}',
    changedAt: 'Geändert {time}',
    definition: 'Definition',
    accepted: 'Angenommen',
    sent: 'Jetzt gesendet',
    digest: (digest) => `SHA-256 ${digest}`,
    accept: 'Annehmen',
    acceptTitle: 'Geänderte Definition annehmen?',
    acceptBody:
      '{name} wird wieder angeboten und aufgerufen, so wie der Server es jetzt beschreibt. Ihr Name steht im ' +
      'Audit-Protokoll.',
  },

  newTitle: 'Neuer Konnektor',
  chooseType: 'Typ auswählen',
  enabled: 'Aktiviert',
  healthCheck: (check) => `Zustandsprüfung: ${check}`,
  secretSet: 'Gesetzt. Leer lassen, um den Wert zu behalten.',
  requiredWithout: (help, other) => `${help} Erforderlich, wenn ${other} leer ist.`,
};
