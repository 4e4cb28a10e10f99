import { form } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['projects'] = {
  title: 'Proyectos',
  intro: 'Un proyecto por aplicación. La aplicación envía el ID del proyecto, y el proyecto selecciona la política.',
  create: 'Crear proyecto',
  emptyTitle: 'Aún no hay proyectos',
  emptyBody:
    'Cree uno para cada aplicación, de modo que cada una tenga su propia política, entradas del registro y miembros.',
  policy: 'Política',
  shadow: (policy) => `En sombra: ${policy ?? '–'}`,
  logContent: 'Contenido del registro',
  continues: 'Continúa sin la base de datos',
  id: 'ID',
  copyId: (project) => `Copiar el ID de ${project}`,
  updated: 'Actualizado',
  members: 'Miembros',
  withoutProject: 'Solicitudes sin proyecto',
  requireProject: 'Rechazar solicitudes de evaluación sin proyecto',
  refusesOthers: 'Se rechazan con el estado 422.',
  acceptsOthers: 'La política integrada decide sobre ellas.',
  deleteTitle: '¿Eliminar el proyecto?',
  deleteBody: 'Las solicitudes para {name} se rechazan desde ahora. Sus entradas del registro se conservan.',

  newTitle: 'Nuevo proyecto',
  namePlaceholder: 'Chat de soporte',
  policyMissing: 'Un proyecto necesita una política. {link}',
  createPolicy: 'Cree primero una política.',
  shadowPolicy: 'Política en sombra',
  shadowHint: 'Evalúa las mismas solicitudes sin afectar a las decisiones. El registro muestra lo que habría decidido.',
  organizationDefault: 'Valor predeterminado de la organización',
  logContents: {
    masked: 'Enmascarado: los datos personales se sustituyen',
    sealed: 'Sellado: enmascarado, más el original, que se puede revelar con un motivo',
    full: 'Completo: texto original',
    none: 'Ninguno: sin texto',
  },
  storeFailure: 'Si la base de datos no está disponible',
  storeFailures: { refuse: 'Rechazar solicitudes', spool: 'Continuar y registrar después' },
  storeFailureHint:
    'Rechazar: las solicitudes de evaluación reciben el estado 503 hasta que vuelva la base de datos. Continuar: las ' +
    'solicitudes con clave de API usan la última política conocida. Se guardan en un archivo y después se registran y se ' +
    'cobran. La base de datos integrada siempre está disponible.',

  gateway: {
    summary: (routes) => (routes === 0 ? 'Pasarela' : `Pasarela: ${routes} ${form(routes, 'ruta', 'rutas')}`),
    table: 'Rutas de la pasarela',
    of: (field, number) => `${field} de la ruta ${number}`,
    model: 'Modelo',
    connector: 'Conector',
    otherConnector: 'Otro conector',
    upstreamModel: 'Modelo de destino',
    same: 'Mismo nombre',
    fallback: 'Alternativa',
    removal: 'Quitar',
    remove: (number) => `Quitar la ruta ${number}`,
    add: 'Añadir ruta',
    note: 'La primera ruta con un modelo coincidente atiende la llamada. * equivale a cualquier texto. Sin rutas, la pasarela está desactivada.',
    noConnector:
      'Las rutas necesitan un conector a OpenAI, Azure OpenAI, Anthropic o un servidor compatible con OpenAI.',
    onBlock: 'Respuesta a llamadas bloqueadas',
    refusal: 'Rechazo en el formato del proveedor, con estado 200',
    error: 'Error con estado 400',
  },

  membersOf: (project) => `Miembros de ${project}`,
  addMember: 'Añadir miembro',
  memberRemoved: (username) => `${username} ya no es miembro del proyecto.`,
  noMembers: 'Aún no hay miembros. Los propietarios y administradores pertenecen a todos los proyectos.',
  user: 'Usuario',
};
