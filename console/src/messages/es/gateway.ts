import type { Dictionary } from '../dictionary';

export const messages: Dictionary['gateway'] = {
  title: 'Pasarela y clientes',
  intro:
    'Modelos detrás de la pasarela, la configuración de cada cliente con la dirección de esta instalación y sus llamadas.',

  routes: 'Rutas',
  routesNote: 'La primera ruta con un modelo coincidente atiende la llamada.',
  project: 'Proyecto',
  model: 'Modelo',
  upstream: 'Destino',
  upstreamModel: 'Modelo de destino',
  fallback: 'Alternativa',
  onBlock: 'Llamadas bloqueadas',
  same: 'Mismo nombre',
  unknownConnector: 'Un conector que usted no puede ver',
  onBlocks: { refusal: 'Rechazo, estado 200', error: 'Error, estado 400' },
  edit: (project) => `Editar las rutas de ${project}`,
  noRoutesTitle: 'Aún no hay rutas',
  noRoutesBody:
    'Edite un proyecto y añada una ruta de un modelo a un conector. A partir de entonces, sus llamadas se protegen aquí.',
  toProjects: 'Abrir proyectos',

  connect: 'Conectar un cliente',

  calls: 'Llamadas recientes',
  interface: 'Interfaz',
  interfaces: {
    gateway: 'Pasarela',
    litellm: 'LiteLLM',
    claude_code: 'Claude Code',
    codex: 'Codex',
    mcp: 'Herramientas MCP',
    mcp_proxy: 'Servidores MCP',
    presidio: 'Presidio',
    lakera: 'Lakera',
    openai_moderations: 'Moderaciones de OpenAI',
    openai_decisions: 'Decisiones de OpenAI',
  },
  time: 'Hora',
  decision: 'Decisión',
  promptTokens: 'Tokens del prompt',
  completionTokens: 'Tokens de la respuesta',
  guardTime: 'Evaluación',
  modelTime: 'Modelo o servidor',
  caller: 'Emisor',
  noCallsTitle: 'Aún no hay llamadas por esta interfaz',
  noCallsBody: 'Conecte un cliente. Sus llamadas aparecen aquí en unos segundos.',
  allCalls: 'Mostrar en el registro en vivo',
  open: (time) => `Abrir la entrada de ${time}`,
};
