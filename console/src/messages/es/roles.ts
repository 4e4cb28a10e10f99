import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['roles'] = {
  title: 'Roles',
  intro:
    'Hay cinco roles integrados. Cree los suyos con los mismos permisos. Solo puede conceder permisos que usted tenga.',
  create: 'Crear rol',
  newTitle: 'Nuevo rol',
  custom: 'Roles propios',
  permissions: (granted) => counted(granted, 'permiso', 'permisos'),
  matrix: 'Permisos por rol',
  permission: 'Permiso',
  description: 'Descripción',
  deleteTitle: '¿Eliminar el rol?',
  deleteBody: 'Puede eliminar {name} cuando ningún usuario tenga este rol.',
};
