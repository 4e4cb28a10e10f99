import { locale } from '@/lib/language';
import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const minutesOf = (minutes: number) => counted(minutes, 'minuto', 'minutos');
const requestsOf = (requests: number) => counted(requests, 'solicitud', 'solicitudes');

export const messages: Dictionary['alerts'] = {
  title: 'Alertas',
  intro:
    'Reglas que se comprueban una vez por minuto. Envían un mensaje cuando su condición se cumple y cuando deja de cumplirse.',
  tabs: { rules: 'Reglas', webhooks: 'Webhooks' },
  create: 'Crear alerta',
  newTitle: 'Crear alerta',
  emptyTitle: 'Aún no hay alertas',
  emptyBody:
    'Cree una alerta para recibir un mensaje cuando se bloqueen muchas solicitudes, quede poco saldo o falle un conector.',
  states: { ok: 'OK', firing: 'Disparada', disabled: 'Desactivada' },
  condition: 'Condición',
  conditions: {
    block_rate: 'Proporción de solicitudes bloqueadas',
    guardrail_spike: 'Aumento repentino de una salvaguarda',
    credits_low: 'Saldo bajo',
    connector_down: 'Conector caído',
    engine_degraded: 'Motor degradado',
  },
  lastFired: 'Último disparo',
  deliveries: 'Mensajes',
  share: 'Proporción de solicitudes bloqueadas, en porcentaje',
  minRequests: 'Mínimo de solicitudes en el periodo',
  minBlocks: 'Mínimo de bloqueos en el periodo',
  period: 'Periodo en minutos',
  guardrail: 'Salvaguarda',
  factor: 'Factor respecto al periodo anterior',
  balance: 'Saldo en créditos',
  connector: 'Conector',
  anyConnector: 'Cualquier conector',
  cooldown: 'Mínimo de minutos entre dos alertas',
  channels: 'Canales',
  noChannel: 'No envía mensajes: no tiene canal.',
  noChannels:
    'Para enviar mensajes, añada un conector para Slack o correo electrónico. Los webhooks reciben las alertas como eventos.',
  recipients: 'Destinatarios de correo electrónico',
  recipientsHint: 'Una dirección por línea, 20 como máximo.',
  enabled: 'Activada',
  deleteTitle: '¿Eliminar la alerta?',
  deleteBody: '{name} y sus mensajes se eliminarán. Los mensajes que aún están en cola no se envían.',
  tested: (channels) => `Mensaje de prueba enviado a ${counted(channels, 'canal', 'canales')}`,
  testedNone: (summary) => `Sin canales. ${summary}`,
  testFailed: (errors) => `El mensaje de prueba no se envió: ${errors}`,
  sentence: {
    block_rate: (share, period, least) =>
      `Se dispara cuando se bloquea un ${share} o más de las solicitudes de los últimos ${minutesOf(period)}, con al menos ${requestsOf(least)}.`,
    guardrail_spike: (name, factor, period, least) =>
      `Se dispara cuando ${name} bloquea en ${minutesOf(period)} al menos ${factor.toLocaleString(locale)} veces las solicitudes que bloqueó en los ${minutesOf(period)} anteriores, y al menos ${least.toLocaleString(locale)}.`,
    credits_low: (balance) => `Se dispara cuando el saldo es inferior a ${counted(balance, 'crédito', 'créditos')}.`,
    connector_down: (name) =>
      name === null
        ? 'Se dispara cuando falla cualquier conector activado.'
        : `Se dispara cuando falla el conector ${name}.`,
    engine_degraded: () => 'Se dispara cuando una parte del servicio no funciona.',
  },
  deliveriesOf: (name) => `Mensajes de ${name}`,
  noDeliveries: 'Aún no hay mensajes',
  noDeliveriesBody: 'Los mensajes aparecen aquí cuando la alerta se dispara o se resuelve. Las pruebas no se muestran.',
  kinds: { fired: 'Disparada', resolved: 'Resuelta' },
  deliveryStates: { queued: 'En cola', sent: 'Enviado', dead: 'Fallido' },
  message: 'Mensaje',
  channel: 'Canal',
  attempts: 'Intentos',
  time: 'Hora',
  retry: 'Reintentar',
};
