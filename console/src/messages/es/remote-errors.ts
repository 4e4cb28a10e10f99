import type { Dictionary } from '../dictionary';

export const remoteErrors: Dictionary['remoteErrors'] = {
  credentials: 'El sistema rechazó las credenciales. Introduzca otras en el conector.',
  forbidden: 'A la cuenta del conector le falta un permiso en ese sistema. Concédalo allí.',
  missing: 'El sistema no tiene nada en esta dirección. Revise la dirección, el proyecto o la tabla del conector.',
  refused: 'El sistema rechazó el contenido. El error original puede indicar el motivo.',
  busy: 'El sistema no acepta más llamadas por ahora. Inténtelo más tarde.',
  broken: 'El sistema tiene un problema propio. Inténtelo más tarde.',
  timeout: 'El sistema no respondió a tiempo. Compruebe que funciona y que ningún cortafuegos retiene las llamadas.',
  name: 'El nombre de host del sistema es desconocido. Revise la dirección del conector.',
  certificate: 'No se confía en el certificado del sistema. Instale su autoridad en el servidor del servicio.',
  unreachable: 'No se puede acceder al sistema. Compruebe que funciona y la dirección del conector.',
  blocked: 'El servicio no puede llamar a esta dirección. Cámbiela o pida a un operador que la permita.',
  paused: 'Las llamadas están en pausa porque el sistema falló varias veces. Continúan por sí solas.',
  unreadable: 'La respuesta no es la del sistema esperado. Revise el tipo y la dirección del conector.',
};
