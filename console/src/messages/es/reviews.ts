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
  triggered: 'Activadas',
  user: 'Usuario',
  text: 'Texto',
  autoDenied: 'Denegación automática',
  decided: 'Decidida',
  timedOut: 'Plazo agotado',
  review: 'Revisar',
  view: 'Ver',
  older: 'Cargar revisiones anteriores',

  deny: 'Denegar',
  approve: 'Aprobar',
  entryDeleted: 'La entrada del registro de esta solicitud se eliminó al terminar su plazo de conservación.',
  note: 'Nota:',
  addNote: 'Nota (opcional)',
  noteHint: 'Se guarda con la revisión. La aplicación no la recibe.',
};
