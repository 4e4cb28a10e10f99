import type { Dictionary } from '../dictionary';

export const messages: Dictionary['audit'] = {
  title: 'Registro de auditoría',
  intro:
    'Llamadas de administración, inicios de sesión y restauraciones de texto. Las entradas forman una cadena de ' +
    'hashes: {command} detecta las alteradas.',
  command: 'guardengine audit verify',
  action: 'Acción',
  actionPlaceholder: 'FIREWALL_POLICIES:UPDATE_POLICY',
  principal: 'Actor',
  principalPlaceholder: 'user:admin',
  number: 'N.º',
  time: 'Hora',
  target: 'Objeto',
  details: 'Detalles',
  older: 'Cargar entradas anteriores',
};
