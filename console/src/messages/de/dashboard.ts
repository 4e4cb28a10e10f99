import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const spanOf = (hours: number): string => {
  if (hours < 24) return hours === 1 ? 'Stunde' : `${hours} Stunden`;
  return hours === 24 ? 'Tag' : `${hours / 24} Tage`;
};
const requestsOf = (requests: number) => counted(requests, 'Anfrage', 'Anfragen');

export const messages: Dictionary['dashboard'] = {
  title: 'Dashboard',

  totals: {
    label: 'Anfragen nach Ergebnis',
    requests: 'Anfragen',
    allowed: 'Zugelassen',
    blocked: 'Blockiert',
    masked: 'Maskiert',
    challenged: 'Rückfragen',
    escalated: 'Eskaliert',
    wouldBlock: 'Würde blockieren',
    notEvaluated: 'Nicht ausgewertet',
    unlogged: (requests) => `${requestsOf(requests)} ohne Protokolleintrag`,
    noChange: 'Keine Änderung',
    was: (before) => `zuvor ${before}`,
    more: 'mehr',
    fewer: 'weniger',
    times: (factor) => `${factor}×`,
  },

  threats: {
    title: 'Bedrohungen nach Schutzregel',
    note: (hours) =>
      `Pro ${spanOf(hours)}. Wählen Sie einen Balken, um seine Protokolleinträge zu sehen, oder ziehen Sie, um zu vergrößern.`,
    chart: 'Bedrohungen im Zeitverlauf',
    others: 'Andere',
    attacks: 'Angriffe',
    personalData: 'Personenbezogene Daten',
    types: { pii: 'Eingebaute Typen', custom_pii: 'Eigene Typen' },
    emptyTitle: 'Keine Bedrohungen in diesem Zeitraum',
    emptyBody: 'Anfragen, die eine Schutzregel auslösen, erscheinen hier nach Stunden gruppiert.',
    policyChanged: (principal, time) => `Richtlinie geändert von ${principal}, ${time}`,
    bar: (label, requests) => `${label}: ${requestsOf(requests)}`,
    any: 'Beliebige Schutzregel',
    several: 'Eine Anfrage zählt einmal für jede ausgelöste Schutzregel.',
  },

  top: {
    guardrails: 'Häufigste Schutzregeln',
    noGuardrails: 'In diesem Zeitraum wurde keine Schutzregel ausgelöst.',
    projects: 'Aktivste Projekte',
    noProjects: 'Keine Anfrage in diesem Zeitraum nannte ein Projekt.',
    users: 'Aktivste Benutzer',
    noUsers: 'Keine Anfrage in diesem Zeitraum nannte ihren Endbenutzer. Senden Sie ihn als {field}.',
    applications: 'Aktivste Anwendungen',
    rankedBy: (ranking) => `${ranking}: sortiert nach`,
    byRequests: 'Nach Anfragen',
    byBlocked: 'Nach Blockierten',
    noBlocked: 'In diesem Zeitraum wurde keine Anfrage blockiert.',
    blockedKeys: 'API-Schlüssel nach Blockierten',
    noBlockedKeys: 'In diesem Zeitraum wurde keine Anfrage mit einem API-Schlüssel blockiert.',
    noApplications: 'Keine Anfrage in diesem Zeitraum nannte ihre Anwendung. Senden Sie sie als {field}.',
  },

  confidence: {
    title: 'Konfidenz und Schwellenwert',
    note: 'Alle Anfragen im Zeitraum, logarithmische Skala',
    empty: 'In diesem Zeitraum lief keine Schutzregel.',
    guardrail: 'Schutzregel',
    threshold: 'Schwellenwert ausprobieren',
    reached: (reached, all, threshold) => `${reached} von ${all} Anfragen erreichen ${threshold}.`,
    policies: (thresholds) => `Schwellenwerte der Richtlinien (gestrichelt): ${thresholds}`,
    policy: (name, threshold) => `${name}: ${threshold}`,
  },

  latency: {
    title: 'Latenz',
    note: 'Zeit im Dienst',
    help: 'Die Hälfte der Anfragen brauchte höchstens p50, 95 % brauchten höchstens p95 und 99 % brauchten höchstens p99.',
  },

  credits: {
    title: 'Credits',
    ledger: 'Kontobuch öffnen',
    note: (hours) => `Verbrauch pro ${spanOf(hours)}`,
    balance: 'Guthaben',
    chart: (from, to, credits) => `Verbrauchte Credits von ${from} bis ${to}: ${credits}`,
    bar: (label, credits) => `${label}: ${counted(credits, 'Credit', 'Credits')}`,
    idle: (from) => `Seit ${from} wurden keine Credits verbraucht.`,
    over: 'Keine Credits mehr übrig. Anfragen werden abgelehnt.',
    few: 'Zu wenige Belastungen für eine Prognose.',
    early: (from) =>
      `Der Verbrauch begann am ${from}. Eine Prognose braucht 24 Stunden Verbrauch oder 6 Stunden, in denen er kaum schwankt.`,
    unclear: 'Der Verbrauch schwankt zu stark für eine Prognose.',
    atRate: (range, charges) => `Reicht ${range} bei der Rate der letzten ${charges} Belastungen.`,
    lasts: (range, from) => `Reicht ${range} beim Verbrauch seit ${from}.`,
  },

  start: {
    title: 'Erste Schritte',
    guide: 'Anwendung verbinden',
    progress: (done, all) => `${done} von ${all} erledigt`,
    done: '(erledigt)',
    policy: 'Richtlinie erstellen',
    policyHelp: 'Wählen Sie, was erkannt wird und was dann geschieht. Beginnen Sie mit einer Vorlage.',
    project: 'Projekt erstellen',
    projectHelp: 'Eines je Anwendung. Es legt die Richtlinie für deren Anfragen fest.',
    apiKey: 'API-Schlüssel erstellen',
    apiKeyHelp: 'Ihre Anwendung sendet ihn mit jeder Anfrage.',
    attack: 'Angriff blockieren',
    attackHelp: 'Senden Sie einen aus dem Playground oder aus Ihrer Anwendung.',
  },
};
