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
  emptyTitle: 'Aún no hay movimientos',
  emptyBody: 'Cada cargo aparece aquí con su solicitud.',
  time: 'Hora',
  operation: 'Operación',
  amount: 'Importe',
  balanceAfter: 'Saldo posterior',
  request: 'Solicitud',
  viewRequest: 'Ver solicitud',
  older: 'Cargar movimientos anteriores',
};
