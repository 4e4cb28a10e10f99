import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['conversation'] = {
  title: 'Conversación',
  missing: 'No se ha seleccionado ninguna conversación',
  missingBody: 'Abra una entrada del registro que nombre su conversación y siga el enlace.',
  emptyTitle: 'No hay entradas de esta conversación',
  emptyBody:
    'Puede que se hayan eliminado al terminar el plazo de conservación, o que pertenezcan a un proyecto del que usted no ' +
    'es miembro.',
  identifier: 'Identificador',
  copy: 'Copiar el identificador de la conversación',
  turns: (turns) => counted(turns, 'turno evaluado', 'turnos evaluados'),
  turnsLoaded: (turns) => counted(turns, 'turno evaluado cargado', 'turnos evaluados cargados'),
  outcomes: 'Turnos por resultado',
  from: (start, end) => `${start} a ${end}`,
  timeline: 'Turnos, del más antiguo al más reciente',
  prompt: 'Prompt',
  response: 'Respuesta',
  textOf: (turn) => `Texto del turno ${turn}`,
  evaluationOf: (turn) => `Evaluación del turno ${turn}`,
  open: 'Abrir entrada',
  nothing: 'Nada activado',
  safety: (score) => `Seguridad ${score} de 100`,
  older: 'Cargar turnos anteriores',
  inLogs: 'Mostrar en el registro en vivo',
};
