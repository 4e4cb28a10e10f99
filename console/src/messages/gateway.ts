import { translated } from './translated';

/** Texts of the gateway page. */
const english = {
  title: 'Gateway and clients',
  intro: 'Models behind the gateway, the set-up of each client with the address of this installation, and its calls.',

  routes: 'Routes',
  routesNote: 'The first route with a matching model handles a call.',
  project: 'Project',
  model: 'Model',
  upstream: 'Upstream',
  upstreamModel: 'Upstream model',
  fallback: 'Fallback',
  onBlock: 'Blocked calls',
  same: 'Same name',
  unknownConnector: 'A connector that you cannot see',
  onBlocks: { refusal: 'Refusal, status 200', error: 'Error, status 400' },
  edit: (project: string) => `Edit the routes of ${project}`,
  noRoutesTitle: 'No routes yet',
  noRoutesBody: 'Edit a project and add a route from a model to a connector. Its calls are then guarded here.',
  toProjects: 'Open projects',

  connect: 'Connect a client',

  calls: 'Recent calls',
  interface: 'Interface',
  interfaces: {
    gateway: 'Gateway',
    litellm: 'LiteLLM',
    claude_code: 'Claude Code',
    codex: 'Codex',
    mcp: 'MCP tools',
    mcp_proxy: 'MCP servers',
    presidio: 'Presidio',
    lakera: 'Lakera',
    openai_moderations: 'OpenAI moderations',
    openai_decisions: 'OpenAI decisions',
  },
  time: 'Time',
  decision: 'Decision',
  promptTokens: 'Prompt tokens',
  completionTokens: 'Completion tokens',
  guardTime: 'Guard',
  modelTime: 'Model or server',
  caller: 'Caller',
  noCallsTitle: 'No calls through this interface yet',
  noCallsBody: 'Connect a client. Its calls appear here within seconds.',
  allCalls: 'Show in live logs',
  open: (time: string) => `Open the entry of ${time}`,
} as const;

export const messages = translated('gateway', english);
