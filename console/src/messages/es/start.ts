import type { Dictionary } from '../dictionary';

export const messages: Dictionary['start'] = {
  title: 'Conectar su aplicación',
  intro: 'De aquí al primer prompt bloqueado de su propia aplicación, en unos cinco minutos.',
  policyTitle: 'Política y proyecto',
  policyBody: 'Un proyecto es una aplicación. Selecciona la política que decide sobre sus solicitudes.',
  application: 'Aplicación',
  applicationPlaceholder: 'Chat de soporte',
  startFrom: 'Política',
  fromDefault: 'Política predeterminada',
  existing: (policy) => `${policy} (existente)`,
  create: 'Crear proyecto',
  useExisting: 'O utilice un proyecto',
  chosen: (project) => `Proyecto: ${project}`,
  change: 'Cambiar',
  connectTitle: 'Conectar',
  done: (isBlocked) => `Su primer prompt se ha ${isBlocked ? 'bloqueado' : 'detenido'}`,
  doneBody: 'Su aplicación está protegida. Estos son los siguientes pasos.',
  entry: 'Ver la solicitud',
  policy: 'Ajustar la política',
  dashboard: 'Abrir el panel',
};
