import type { Dictionary } from '../dictionary';

export const messages: Dictionary['users'] = {
  title: 'Usuarios',
  intro: 'Cada usuario tiene un rol en una organización. El rol determina sus permisos.',
  create: 'Crear usuario',
  newTitle: 'Nuevo usuario',
  you: 'Usted',
  memberSince: 'Miembro desde',
  lastActive: 'Última actividad',
  endSessions: 'Cerrar todas las sesiones',
  endSessionsNote: 'Cierra la sesión del usuario en esta organización. Las claves de API siguen funcionando.',
  sessionsEnded: 'Sesiones cerradas.',
  more: 'Cargar más usuarios',
  usernameTaken: 'Este nombre de usuario no está disponible. Elija otro.',
  password: 'Contraseña',
  newPassword: 'Contraseña nueva (opcional)',
  removeTitle: '¿Quitar al usuario?',
  removeBody: '{name} pierde de inmediato el acceso a esta organización. Sus claves de API dejan de funcionar aquí.',
};
