import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['apiKeys'] = {
  title: 'Claves de API',
  intro:
    'Una aplicación envía su clave en la cabecera X-API-Key. Actúa como el usuario que creó la clave, en esta ' +
    'organización y dentro del alcance de la clave.',
  create: 'Crear clave de API',
  emptyTitle: 'Aún no hay claves de API',
  emptyBody: 'Cree una para cada aplicación, de modo que pueda revocarlas por separado.',
  startsWith: 'Empieza por',
  uses: 'Usos',
  lastUsed: 'Último uso',
  scope: 'Alcance',
  everyProject: 'Todos los proyectos de su creador',
  otherProject: 'Un proyecto al que usted no pertenece',
  permissionCount: (granted) => counted(granted, 'permiso', 'permisos'),
  created: 'Creada',
  expires: 'Caduca',
  states: { active: 'Activa', expired: 'Caducada', revoked: 'Revocada' },
  revoke: 'Revocar',
  revokeTitle: '¿Revocar la clave de API?',
  revokeBody: 'Las solicitudes con {name} se rechazan de inmediato. Una clave revocada no se puede restaurar.',

  newTitle: 'Nueva clave de API',
  namePlaceholder: 'Chat de soporte, producción',
  validFor: 'Validez',
  lifetimes: { month: '30 días', quarter: '90 días', year: '1 año', unlimited: 'Sin caducidad' },
  project: 'Proyecto',
  projectHint: 'Con un proyecto, las solicitudes que no nombran ninguno son para este.',
  permissions: 'Permisos',
  permissionsHint: 'Una clave cambia usuarios y roles solo con permisos que usted elija.',
  allPermissions: 'Todos los míos, salvo cambiar usuarios y roles',
  chosenPermissions: 'Permisos elegidos',
  createdTitle: 'Su clave de API',
  stored: 'La he guardado',
  copy: 'Copiar clave de API',
  usage: 'Las aplicaciones la envían en la cabecera {header}:',
};
