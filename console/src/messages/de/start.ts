import type { Dictionary } from '../dictionary';

export const messages: Dictionary['start'] = {
  title: 'Anwendung verbinden',
  intro: 'In etwa fünf Minuten von hier bis zum ersten blockierten Prompt Ihrer eigenen Anwendung.',
  policyTitle: 'Richtlinie und Projekt',
  policyBody: 'Ein Projekt ist eine Anwendung. Es legt die Richtlinie fest, die über deren Anfragen entscheidet.',
  application: 'Anwendung',
  applicationPlaceholder: 'Support-Chat',
  startFrom: 'Richtlinie',
  fromDefault: 'Standardrichtlinie',
  existing: (policy) => `${policy} (vorhanden)`,
  create: 'Projekt erstellen',
  useExisting: 'Oder ein Projekt verwenden',
  chosen: (project) => `Projekt: ${project}`,
  change: 'Ändern',
  connectTitle: 'Verbinden',
  done: (isBlocked) => `Ihr erster Prompt wurde ${isBlocked ? 'blockiert' : 'aufgehalten'}`,
  doneBody: 'Ihre Anwendung ist geschützt. Das sind die nächsten Schritte.',
  entry: 'Anfrage anzeigen',
  policy: 'Richtlinie abstimmen',
  dashboard: 'Dashboard öffnen',
};
