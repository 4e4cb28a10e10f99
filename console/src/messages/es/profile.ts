import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['profile'] = {
  title: 'Perfil',
  account: 'Su cuenta',
  role: 'Rol en esta organización',
  organizations: 'Organizaciones',
  organization: (name, role) => `${name} (${role})`,
  permissions: 'Permisos',
  permissionCount: (granted) => counted(granted, 'permiso', 'permisos'),

  changePassword: 'Cambiar contraseña',
  changePasswordNote: 'Cierra sus demás sesiones',
  current: 'Contraseña actual',
  new: 'Contraseña nueva',
  repeat: 'Repetir la contraseña nueva',
  mismatch: 'Las contraseñas nuevas no coinciden.',
  changed: 'Contraseña cambiada.',

  sessions: 'Sesiones',
  signedIn: 'Inicio de sesión',
  lastActive: 'Última actividad',
  organizationOf: 'Organización',
  thisSession: 'Esta sesión',
  endSession: 'Cerrar',
  endOthers: 'Cerrar todas las demás',
  sessionsEnded: 'Sesión cerrada.',
};
