import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['credits'] = {
  title: 'Créditos',
  intro:
    'Las solicitudes evaluadas cuestan créditos y se rechazan si no quedan. Los operadores añaden créditos con {command}.',
  command: 'guardengine admin set-credits',
  balance: 'Saldo',
  chart: (entries, from) => `Saldo en créditos desde ${from}, según los ${entries} movimientos de abajo`,
  balanceAt: (time, credits) => `${time}: ${credits} créditos`,
  alertBelow: (credits) => `Una alerta se dispara por debajo de ${credits} créditos`,
  prices: 'Precios',
  price: (credits) => counted(credits, 'crédito', 'créditos'),
  perCall: 'Una llamada cuesta su precio, sea cual sea la longitud del texto.',
  perUnit: (unit) => `Una llamada cuesta su precio por cada ${unit} caracteres o fracción de texto evaluado.`,
  operations: {
    analyze: 'Prompt',
    validate: 'Respuesta',
    mask: 'Texto que enmascarar',
    autonomous: 'Decisión autónoma',
    audio: 'Clip de audio, con su transcripción',
    image: 'Imagen, con su texto',
  },
  ledger: 'Movimientos',
  emptyTitle: 'No hay movimientos en este período',
  emptyBody: 'Cada cargo aparece aquí con su solicitud.',
  export: 'Exportar movimientos',
  exporting: (entries) => `${counted(entries, 'movimiento leído', 'movimientos leídos')}`,
  exported: (entries) => `${counted(entries, 'movimiento exportado', 'movimientos exportados')}.`,
  exportedMost: (entries) =>
    `Se han exportado los ${entries} movimientos más recientes. Elija un período más corto para los demás.`,
  time: 'Hora',
  operation: 'Operación',
  amount: 'Importe',
  balanceAfter: 'Saldo posterior',
  request: 'Solicitud',
  viewRequest: 'Ver solicitud',
  older: 'Cargar movimientos anteriores',
};
