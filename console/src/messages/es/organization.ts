import type { Dictionary } from '../dictionary';

export const messages: Dictionary['organization'] = {
  title: 'Ajustes de la organización',
  intro: 'Todos los miembros ven estos ajustes. Los propietarios y administradores los cambian.',
  settings: 'Ajustes',
  nameTaken: 'Otra organización tiene este nombre.',
  defaultLogContent: 'Contenido del registro de proyectos nuevos',
  defaultLogContentHint: 'Los proyectos existentes conservan su ajuste.',
  serviceDefault: 'Valor predeterminado del servicio (enmascarado)',
  saved: 'Ajustes guardados.',
  readOnly: 'Su rol no puede cambiar estos ajustes.',
  service: 'Servicio',
  serviceNote: 'Lo establece el operador del servicio.',
  id: 'ID de la organización',
  copyId: 'Copiar el ID de la organización',
  balance: 'Saldo',
  credits: (credits) => `${credits} créditos`,
  logRetention: 'Conservación de entradas del registro',
  auditRetention: 'Conservación de entradas de auditoría',
  creditRetention: 'Conservación de movimientos de saldo',
  unlimited: 'Sin límite',
  session: 'Sesiones',
  sessionRules: (idle, lifetime) => `Terminan tras ${idle} sin solicitudes y tras ${lifetime} sin renovación.`,
  lockout: 'Bloqueo',
  lockoutRules: (attempts, time) =>
    `Intentos fallidos que bloquean un nombre de usuario: ${attempts}. Duración: ${time}.`,
  password: 'Contraseñas',
};
