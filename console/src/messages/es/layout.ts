import { counted } from '../counted';
import type { Dictionary } from '../dictionary';

export const messages: Dictionary['layout'] = {
  skip: 'Ir al contenido',
  menu: 'Menú',
  goTo: 'Ir a',
  shortcut: 'Ctrl K',
  pages: 'Páginas',

  groups: { observe: 'Observar', protect: 'Proteger', connect: 'Conectar', organization: 'Organización' },
  nav: {
    dashboard: 'Panel',
    logs: 'Registro en vivo',
    reviews: 'Cola de revisión',
    tickets: 'Tiques',
    alerts: 'Alertas',
    engine: 'Estado del motor',
    policies: 'Políticas',
    evaluation: 'Evaluación',
    playground: 'Área de pruebas',
    projects: 'Proyectos',
    gateway: 'Pasarela y clientes',
    apiKeys: 'Claves de API',
    connectors: 'Conectores',
    users: 'Usuarios',
    roles: 'Roles',
    organization: 'Ajustes de la organización',
    credits: 'Créditos',
    audit: 'Registro de auditoría',
  },

  shortcuts: {
    title: 'Atajos de teclado',
    open: 'Atajos de teclado',
    list: [
      [['Ctrl', 'K'], 'Buscar una página, una política, un proyecto, un usuario o una entrada'],
      [['/'], 'Buscar o filtrar en esta página'],
      [['j', 'k'], 'Entrada siguiente y anterior de la tabla, también con una abierta'],
      [['Intro'], 'Abrir la entrada seleccionada'],
      [['a', 'd'], 'Aprobar o denegar la revisión abierta o las seleccionadas'],
      [['Esc'], 'Cerrar el diálogo superior'],
      [['?'], 'Mostrar estos atajos'],
      [['←', '→'], 'Moverse por un gráfico; Intro selecciona'],
      [['Mayús', '←', '→'], 'Seleccionar un intervalo de un gráfico; Intro lo amplía'],
    ],
  },

  account: 'Cuenta:',
  profile: 'Perfil y contraseña',
  apiReference: 'Referencia de la API',
  signOut: 'Cerrar sesión',
  organization: 'Organización:',
  organizations: 'Organizaciones',

  language: (name) => `Idioma: ${name}`,
  theme: 'Tema',
  light: 'Claro',
  dark: 'Oscuro',
  system: 'Sistema',

  palette: {
    label: 'Página o comando',
    placeholder: 'Página, política, proyecto, usuario o ID de una entrada del registro',
    results: 'Páginas y comandos',
    openEntry: (id) => `Abrir la entrada del registro ${id}`,
    searchLogs: (words) => `Buscar «${words}» en el registro`,
    types: {
      page: 'Página',
      command: 'Comando',
      policy: 'Política',
      project: 'Proyecto',
      user: 'Usuario',
      entry: 'Entrada del registro',
    },
    empty: 'Sin coincidencias',
    lightTheme: 'Tema claro',
    darkTheme: 'Tema oscuro',
    systemTheme: 'Tema del sistema',
  },

  idle: {
    title: '¿Sigue ahí?',
    body: 'Su sesión se cerrará en {time} por inactividad.',
    seconds: (left) => counted(left, 'segundo', 'segundos'),
    signOut: 'Cerrar sesión ahora',
    stay: 'Mantener la sesión',
  },

  noProject:
    'Usted aún no pertenece a ningún proyecto, por lo que no ve solicitudes de otros. Pida a un propietario o a un administrador que lo añada a uno.',
  outage: (time) => `Sin conexión, reintentando. Última actualización: ${time}.`,
  unavailable: 'Página no cargada',
  unavailableTitle: 'La página no se puede cargar',
  unavailableBody: 'Se abre automáticamente en cuanto el servidor la entregue.',
  failed: 'No se ha podido mostrar esta página',
  notFound: 'No encontrada',
  noPage: 'Esta página no existe',
  toDashboard: 'Ir al panel',
  noAccess: 'Sin acceso',
  roleDenied: (role) => `El rol «${role}» no puede abrir esta página`,
  permissionNeeded:
    'Requiere el permiso {permission}. Pida a un propietario o administrador de su organización que se lo conceda.',
};
