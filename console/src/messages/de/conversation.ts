import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const turnsOf = (turns: number) => counted(turns, 'ausgewerteter Beitrag', 'ausgewertete Beiträge');

export const messages: Dictionary['conversation'] = {
  title: 'Unterhaltung',
  missing: 'Keine Unterhaltung ausgewählt',
  missingBody: 'Öffnen Sie einen Protokolleintrag, der seine Unterhaltung nennt, und folgen Sie dem Link.',
  emptyTitle: 'Keine Einträge zu dieser Unterhaltung',
  emptyBody:
    'Vielleicht wurden sie nach Ablauf der Aufbewahrungsfrist gelöscht, oder sie gehören zu einem Projekt, dem Sie ' +
    'nicht angehören.',
  identifier: 'Kennung',
  copy: 'Kennung der Unterhaltung kopieren',
  turns: turnsOf,
  turnsLoaded: (turns) => `${turnsOf(turns)} geladen`,
  outcomes: 'Beiträge nach Ergebnis',
  from: (start, end) => `${start} bis ${end}`,
  timeline: 'Beiträge, älteste zuerst',
  prompt: 'Prompt',
  response: 'Antwort',
  textOf: (turn) => `Text von Beitrag ${turn}`,
  evaluationOf: (turn) => `Auswertung von Beitrag ${turn}`,
  open: 'Eintrag öffnen',
  nothing: 'Nichts ausgelöst',
  safety: (score) => `Sicherheit ${score} von 100`,
  older: 'Frühere Beiträge laden',
  inLogs: 'Im Live-Protokoll anzeigen',
};
