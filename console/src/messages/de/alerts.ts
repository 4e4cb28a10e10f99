import { locale } from '@/lib/language';
import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const minutesOf = (minutes: number) => counted(minutes, 'Minute', 'Minuten');
const requestsOf = (requests: number) => counted(requests, 'Anfrage', 'Anfragen');

export const messages: Dictionary['alerts'] = {
  title: 'Alarme',
  intro:
    'Regeln, die einmal pro Minute geprüft werden. Sie senden eine Nachricht, wenn ihre Bedingung eintritt und wenn sie nicht ' +
    'mehr erfüllt ist.',
  tabs: { rules: 'Regeln', webhooks: 'Webhooks' },
  create: 'Alarm erstellen',
  newTitle: 'Alarm erstellen',
  emptyTitle: 'Noch keine Alarme',
  emptyBody:
    'Erstellen Sie einen Alarm, um eine Nachricht zu erhalten, wenn viele Anfragen blockiert werden, die Credits knapp ' +
    'werden oder ein Konnektor ausfällt.',
  states: { ok: 'OK', firing: 'Ausgelöst', disabled: 'Deaktiviert' },
  condition: 'Bedingung',
  conditions: {
    block_rate: 'Anteil blockierter Anfragen',
    guardrail_spike: 'Sprunghafter Anstieg bei einer Schutzregel',
    credits_low: 'Credits knapp',
    connector_down: 'Konnektor ausgefallen',
    engine_degraded: 'Engine beeinträchtigt',
  },
  lastFired: 'Zuletzt ausgelöst',
  deliveries: 'Nachrichten',
  share: 'Anteil blockierter Anfragen in Prozent',
  minRequests: 'Mindestzahl der Anfragen im Zeitraum',
  minBlocks: 'Mindestzahl der Blockierungen im Zeitraum',
  period: 'Zeitraum in Minuten',
  guardrail: 'Schutzregel',
  factor: 'Faktor gegenüber dem Zeitraum davor',
  balance: 'Guthaben in Credits',
  connector: 'Konnektor',
  anyConnector: 'Beliebiger Konnektor',
  cooldown: 'Mindestabstand zwischen zwei Alarmen in Minuten',
  channels: 'Kanäle',
  noChannel: 'Sendet keine Nachrichten: Es gibt keinen Kanal.',
  noChannels:
    'Um Nachrichten zu senden, fügen Sie einen Konnektor für Slack oder E-Mail hinzu. Webhooks erhalten Alarme als ' +
    'Ereignisse.',
  recipients: 'E-Mail-Empfänger',
  recipientsHint: 'Eine Adresse pro Zeile, höchstens 20.',
  enabled: 'Aktiviert',
  deleteTitle: 'Alarm löschen?',
  deleteBody:
    '{name} und alle zugehörigen Nachrichten werden gelöscht. Noch wartende Nachrichten werden nicht gesendet.',
  tested: (channels) => `Testnachricht an ${counted(channels, 'Kanal', 'Kanäle')} gesendet`,
  testedNone: (summary) => `Keine Kanäle. ${summary}`,
  testFailed: (errors) => `Die Testnachricht wurde nicht gesendet: ${errors}`,
  sentence: {
    block_rate: (share, period, least) =>
      `Löst aus, wenn ${share} oder mehr der Anfragen der letzten ${minutesOf(period)} blockiert werden, bei mindestens ${requestsOf(least)}.`,
    guardrail_spike: (name, factor, period, least) =>
      `Löst aus, wenn ${name} in ${minutesOf(period)} mindestens ${factor.toLocaleString(locale)}-mal so viele Anfragen blockiert wie in den ${minutesOf(period)} davor, und mindestens ${least.toLocaleString(locale)}.`,
    credits_low: (balance) => `Löst aus, wenn das Guthaben unter ${counted(balance, 'Credit', 'Credits')} liegt.`,
    connector_down: (name) =>
      name === null
        ? 'Löst aus, wenn irgendein aktivierter Konnektor ausfällt.'
        : `Löst aus, wenn der Konnektor ${name} ausfällt.`,
    engine_degraded: () => 'Löst aus, wenn ein Teil des Dienstes nicht arbeitet.',
  },
  deliveriesOf: (name) => `Nachrichten von ${name}`,
  noDeliveries: 'Noch keine Nachrichten',
  noDeliveriesBody:
    'Nachrichten erscheinen hier, wenn der Alarm ausgelöst oder beendet wird. Tests werden nicht aufgeführt.',
  kinds: { fired: 'Ausgelöst', resolved: 'Beendet' },
  deliveryStates: { queued: 'Wartend', sent: 'Gesendet', dead: 'Fehlgeschlagen' },
  message: 'Nachricht',
  channel: 'Kanal',
  attempts: 'Versuche',
  time: 'Zeit',
  retry: 'Erneut versuchen',
};
