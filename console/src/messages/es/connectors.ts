import type { Dictionary } from '../dictionary';

export const messages: Dictionary['connectors'] = {
  title: 'Conectores',
  intro:
    'Cuentas en la nube, modelos de lenguaje, sistemas de tiques y alojamiento de código. Los secretos se cifran y nunca ' +
    'se muestran.',
  create: 'Crear conector',
  emptyTitle: 'Aún no hay conectores',
  emptyBody:
    'Nada sale de esta máquina hasta que añada un conector, como un modelo de lenguaje para segundas opiniones o un ' +
    'sistema de tiques para el seguimiento.',
  type: 'Tipo',
  states: { active: 'Activo', error: 'Error', disabled: 'Desactivado' },
  connected: (ms) => `Conectado (${ms} ms)`,
  checked: 'Comprobado {time}',
  testFailed: 'La conexión ha fallado.',
  deleteTitle: '¿Eliminar el conector?',
  deleteBody: '{name} y sus secretos se eliminan definitivamente. Ninguna política puede usarlo.',

  tools: {
    button: 'Herramientas',
    title: (connector) => `Herramientas de ${connector}`,
    intro:
      'Herramientas tal como se listaron por primera vez. Si cambia la definición de una, no se ofrece ni se llama hasta ' +
      'que se acepte el cambio.',
    emptyTitle: 'Aún no hay herramientas',
    emptyBody: 'Aparecen aquí cuando un cliente lista las herramientas de este servidor a través del servicio.',
    pinned: 'Fijada',
    changed: 'Cambiada',
    seenAt: 'Listada por primera vez {time}',
    changedAt: 'Cambiada {time}',
    definition: 'Definición',
    accepted: 'Aceptada',
    sent: 'Enviada ahora',
    digest: (digest) => `SHA-256 ${digest}`,
    accept: 'Aceptar',
    acceptTitle: '¿Aceptar la definición cambiada?',
    acceptBody:
      '{name} se ofrece y se llama de nuevo, tal como el servidor la describe ahora. Su nombre consta en el registro de ' +
      'auditoría.',
  },

  newTitle: 'Nuevo conector',
  chooseType: 'Elija un tipo',
  enabled: 'Activado',
  healthCheck: (check) => `Comprobación: ${check}`,
  secretSet: 'Definido. Déjelo vacío para conservarlo.',
  requiredWithout: (help, other) => `${help} Obligatorio si ${other} está vacío.`,
};
