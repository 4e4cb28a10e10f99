import type { Dictionary } from '../dictionary';

export const messages: Dictionary['users'] = {
  title: 'Usuarios',
  intro: 'Cada usuario tiene un rol en una organización. El rol determina sus permisos.',
  create: 'Crear usuario',
  newTitle: 'Nuevo usuario',
  you: 'Usted',
  memberSince: 'Miembro desde',
  more: 'Cargar más usuarios',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva (opcional)',
  removeTitle: '¿Quitar al usuario?',
  removeBody: '{name} pierde de inmediato el acceso a esta organización. Sus claves de API dejan de funcionar aquí.',
};
