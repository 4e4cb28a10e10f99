import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['usage'] = {
  title: 'Consumo',
  note: 'Solicitudes con una entrada del registro, y sus créditos',
  by: 'Consumo por',
  properties: {
    project: 'Proyecto',
    api_key: 'Clave de API',
    user: 'Usuario',
    application: 'Aplicación',
    operation: 'Operación',
  },
  none: {
    project: 'Sin proyecto',
    api_key: 'Sin clave de API',
    user: 'Sin usuario',
    application: 'Sin aplicación',
    operation: 'Sin operación',
  },
  owner: 'Propietario',
  requests: 'Solicitudes',
  blocked: 'Bloqueadas',
  masked: 'Enmascaradas',
  credits: 'Créditos',
  share: 'Parte de los créditos',
  shareOf: (name, share) => `${name}: ${share} de los créditos`,
  requestsOf: (name, requests) => `Solicitudes de ${name}: ${requests}`,
  blockedOf: (name, requests) => `Solicitudes bloqueadas de ${name}: ${requests}`,
  maskedOf: (name, requests) => `Solicitudes enmascaradas de ${name}: ${requests}`,
  others: 'Otros',
  unattributed: 'Sin atribuir',
  completeSince: (time) =>
    `Completo desde ${time}. Las solicitudes anteriores se contaron sin estas propiedades y no están atribuidas.`,
  total: (requests, credits) =>
    `${counted(requests, 'solicitud', 'solicitudes')}, ${counted(credits, 'crédito', 'créditos')} en este período`,
  more: 'Mostrar más',
  export: 'Exportar consumo',
  exported: 'El consumo se ha exportado.',
  emptyTitle: 'No hay solicitudes en este período',
  emptyBody: 'Las solicitudes y sus créditos aparecen aquí en segundos.',
};
