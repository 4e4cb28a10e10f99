import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

const EMPTY: Record<string, string> = {
  pending: 'No hay revisiones pendientes',
  approved: 'No hay revisiones aprobadas',
  denied: 'No hay revisiones denegadas',
};

export const messages: Dictionary['reviews'] = {
  title: 'Cola de revisión',
  intro:
    'Prompts que una salvaguarda con la acción Escalar detuvo en una decisión autónoma. La aplicación espera la decisión de ' +
    'usted. Las llamadas escaladas de analyze y validate solo se detienen y no tienen revisión.',
  table: 'Revisiones',
  states: { pending: 'Pendiente', approved: 'Aprobada', denied: 'Denegada' },
  emptyPending: 'No hay revisiones pendientes',
  emptyPendingBody:
    'Asigne la acción «Escalar» a una salvaguarda y haga que su aplicación solicite decisiones autónomas. Los prompts ' +
    'escalados aparecen aquí.',
  empty: (state) => EMPTY[state] ?? 'No hay revisiones',
  requested: 'Solicitada',
  waiting: 'En espera',
  waitingFor: (time) => `En espera desde hace ${time}.`,
  waitedFor: (time) => `esperó ${time}`,
  evidence: 'Indicios',
  conversation: 'Conversación',
  openConversation: 'Abrir la conversación',
  previous: 'Revisión anterior',
  next: 'Revisión siguiente',
  shortcuts: '{next} siguiente, {previous} anterior',
  decide: {
    title: {
      approve: (reviews) => `Aprobar ${counted(reviews, 'revisión', 'revisiones')}`,
      deny: (reviews) => `Denegar ${counted(reviews, 'revisión', 'revisiones')}`,
    },
    final: 'La aplicación recibe la decisión de inmediato. No se puede deshacer.',
    done: {
      approve: (reviews) => `${counted(reviews, 'revisión aprobada', 'revisiones aprobadas')}.`,
      deny: (reviews) => `${counted(reviews, 'revisión denegada', 'revisiones denegadas')}.`,
    },
    failed: (reviews) => `${counted(reviews, 'revisión no se pudo', 'revisiones no se pudieron')} decidir.`,
  },
  user: 'Usuario',
  autoDenied: 'Denegación automática',
  decided: 'Decidida',
  timedOut: 'Plazo agotado',
  review: 'Revisar',
  older: 'Cargar revisiones anteriores',

  deny: 'Denegar',
  approve: 'Aprobar',
  entryDeleted: 'La entrada del registro de esta solicitud se eliminó al terminar su plazo de conservación.',
  note: 'Nota:',
  addNote: 'Nota (opcional)',
  noteHint: 'Se guarda con la revisión. La aplicación no la recibe.',
};
