import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['tickets'] = {
  title: 'Tiques',
  intro: 'Tiques que las salvaguardas crearon en sistemas conectados. Los envíos fallidos se reintentan.',
  states: { queued: 'En cola', sent: 'Enviado', commented: 'Comentado', dead: 'Fallido' },
  allStates: 'Todos los estados',
  emptyTitle: 'Aún no hay tiques',
  emptyBody:
    'Conecte Jira, ServiceNow o un webhook y selecciónelo en una salvaguarda de una política. Los tiques aparecen aquí ' +
    'cuando esa salvaguarda se activa.',
  noneWith: (status) => `No hay tiques con el estado «${status}»`,
  showAll: 'Mostrar todos los tiques',
  emptyAction: 'Conectar un sistema de tiques',
  ticket: 'Tique',
  connector: 'Conector',
  allConnectors: 'Todos los conectores',
  noneHere: 'No hay tickets de este conector',
  retryAll: {
    button: 'Reintentar todos los fallidos',
    done: (tickets) => `${counted(tickets, 'ticket puesto', 'tickets puestos')} de nuevo en cola.`,
    failed: (tickets) => `${counted(tickets, 'ticket no se pudo', 'tickets no se pudieron')} poner en cola.`,
  },
  guardrail: 'Salvaguarda',
  attempts: 'Intentos',
  created: 'Creado',
  request: 'Solicitud',
  viewEntry: 'Ver entrada del registro',
  retry: 'Reintentar',
  older: 'Cargar tiques anteriores',
  retrying: 'Reintentando',
  nextAttempt: (time: string) => `Próximo intento: ${time}`,
  comment: 'Comentario en un tique anterior de esta salvaguarda',
};
