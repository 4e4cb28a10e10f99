import type { Dictionary } from '../dictionary';

export const messages: Dictionary['signIn'] = {
  documentTitle: 'Iniciar sesión · guardengine',
  title: 'Iniciar sesión en guardengine',
  tagline: 'El firewall con salvaguardas para la IA',
  chooseOrganization: 'Elija una organización',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  tryAgainIn: 'Inténtelo de nuevo en {time}.',
  anotherUser: 'Iniciar sesión con otro usuario',
};
