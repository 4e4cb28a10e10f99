import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['credits'] = {
  title: 'Credits',
  intro:
    'Ausgewertete Anfragen kosten Credits und werden ohne Credits abgelehnt. Betreiber laden mit {command} Credits auf.',
  command: 'guardengine admin set-credits',
  balance: 'Guthaben',
  chart: (entries, from) => `Guthaben in Credits seit ${from}, über die ${entries} Einträge des Kontobuchs unten`,
  balanceAt: (time, credits) => `${time}: ${credits} Credits`,
  alertBelow: (credits) => `Ein Alarm löst unter ${credits} Credits aus`,
  prices: 'Preise',
  price: (credits) => counted(credits, 'Credit', 'Credits'),
  perCall: 'Ein Aufruf kostet seinen Preis, egal wie lang der Text ist.',
  perUnit: (unit) => `Ein Aufruf kostet seinen Preis je angefangene ${unit} Zeichen des ausgewerteten Textes.`,
  operations: {
    analyze: 'Prompt',
    validate: 'Antwort',
    mask: 'Zu maskierender Text',
    autonomous: 'Autonome Entscheidung',
    audio: 'Audioclip mit Transkript',
    image: 'Bild mit seinem Text',
  },
  ledger: 'Kontobuch',
  emptyTitle: 'Keine Einträge im Kontobuch in diesem Zeitraum',
  emptyBody: 'Jede Belastung erscheint hier mit ihrer Anfrage.',
  export: 'Kontobuch exportieren',
  exporting: (entries) => `${counted(entries, 'Eintrag', 'Einträge')} gelesen`,
  exported: (entries) => `${counted(entries, 'Eintrag', 'Einträge')} exportiert.`,
  exportedMost: (entries) =>
    `Die neuesten ${entries} Einträge wurden exportiert. Wählen Sie für die übrigen einen kürzeren Zeitraum.`,
  time: 'Zeit',
  operation: 'Vorgang',
  amount: 'Betrag',
  balanceAfter: 'Guthaben danach',
  request: 'Anfrage',
  viewRequest: 'Anfrage anzeigen',
  older: 'Ältere Einträge laden',
};
