import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['usage'] = {
  title: 'Verbrauch',
  note: 'Anfragen mit einem Protokolleintrag und ihre Credits',
  by: 'Verbrauch nach',
  properties: {
    project: 'Projekt',
    api_key: 'API-Schlüssel',
    user: 'Benutzer',
    application: 'Anwendung',
    operation: 'Vorgang',
  },
  none: {
    project: 'Ohne Projekt',
    api_key: 'Ohne API-Schlüssel',
    user: 'Ohne Benutzer',
    application: 'Ohne Anwendung',
    operation: 'Ohne Vorgang',
  },
  owner: 'Inhaber',
  requests: 'Anfragen',
  blocked: 'Blockiert',
  masked: 'Maskiert',
  credits: 'Credits',
  share: 'Anteil der Credits',
  shareOf: (name, share) => `${name}: ${share} der Credits`,
  requestsOf: (name, requests) => `Anfragen von ${name}: ${requests}`,
  blockedOf: (name, requests) => `Blockierte Anfragen von ${name}: ${requests}`,
  maskedOf: (name, requests) => `Maskierte Anfragen von ${name}: ${requests}`,
  others: 'Übrige',
  unattributed: 'Nicht zugeordnet',
  completeSince: (time) =>
    `Vollständig seit ${time}. Frühere Anfragen wurden ohne diese Eigenschaften gezählt und sind nicht zugeordnet.`,
  total: (requests, credits) =>
    `${counted(requests, 'Anfrage', 'Anfragen')}, ${counted(credits, 'Credit', 'Credits')} in diesem Zeitraum`,
  more: 'Mehr anzeigen',
  export: 'Verbrauch exportieren',
  exported: 'Der Verbrauch wurde exportiert.',
  emptyTitle: 'Keine Anfragen in diesem Zeitraum',
  emptyBody: 'Anfragen und ihre Credits erscheinen hier innerhalb von Sekunden.',
};
