import type { Dictionary } from '../dictionary';

export const messages: Dictionary['gateway'] = {
  title: 'Gateway und Clients',
  intro:
    'Modelle hinter dem Gateway, die Einrichtung jedes Clients mit der Adresse dieser Installation und seine Aufrufe.',

  routes: 'Routen',
  routesNote: 'Die erste Route mit passendem Modell bearbeitet einen Aufruf.',
  project: 'Projekt',
  model: 'Modell',
  upstream: 'Zielsystem',
  upstreamModel: 'Modell des Zielsystems',
  fallback: 'Ausweichziel',
  onBlock: 'Blockierte Aufrufe',
  same: 'Gleicher Name',
  unknownConnector: 'Ein Konnektor, den Sie nicht sehen dürfen',
  onBlocks: { refusal: 'Ablehnung, Status 200', error: 'Fehler, Status 400' },
  edit: (project) => `Routen von ${project} bearbeiten`,
  noRoutesTitle: 'Noch keine Routen',
  noRoutesBody:
    'Bearbeiten Sie ein Projekt und fügen Sie eine Route von einem Modell zu einem Konnektor hinzu. Seine Aufrufe ' +
    'werden dann hier geschützt.',
  toProjects: 'Projekte öffnen',

  connect: 'Client verbinden',

  calls: 'Neueste Aufrufe',
  interface: 'Schnittstelle',
  interfaces: {
    gateway: 'Gateway',
    litellm: 'LiteLLM',
    claude_code: 'Claude Code',
    codex: 'Codex',
    mcp: 'MCP-Werkzeuge',
    mcp_proxy: 'MCP-Server',
    presidio: 'Presidio',
    lakera: 'Lakera',
    openai_moderations: 'OpenAI-Moderationen',
    openai_decisions: 'OpenAI-Entscheidungen',
  },
  time: 'Zeit',
  decision: 'Entscheidung',
  promptTokens: 'Prompt-Token',
  completionTokens: 'Antwort-Token',
  guardTime: 'Prüfung',
  modelTime: 'Modell oder Server',
  caller: 'Aufrufer',
  noCallsTitle: 'Noch keine Aufrufe über diese Schnittstelle',
  noCallsBody: 'Verbinden Sie einen Client. Seine Aufrufe erscheinen hier innerhalb von Sekunden.',
  allCalls: 'Im Live-Protokoll anzeigen',
  open: (time) => `Eintrag von ${time} öffnen`,
};
