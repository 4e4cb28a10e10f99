import type { Schema } from '@/api/client';
import { messages } from '@/messages/connect';
import type { Piece } from '@/ui/Code';

/** What a set-up is written for: the address of the service, the project and, for the gateway, the model. */
export type Target = { origin: string; project: string; model: string };

/** A call that checks the connection: its path and its body. */
export type Call = { path: string; body: unknown };

/**
 * A way to connect an application. `surface` is the interface that its log entries name, and `isGateway` says that the
 * calls go on to a model. `write` has the code, and `call` a prompt that the policy should block.
 */
export type Setup = {
  id: string;
  label: string;
  help: string;
  surface: string;
  isGateway: boolean;
  permissions: Schema<'PermissionName'>[];
  write: (target: Target) => Piece[];
  call: (target: Target) => Call;
};

/** The environment variable that holds the API key in all set-ups. */
export const VARIABLE = 'GUARDENGINE_API_KEY';

const GUARD: Schema<'PermissionName'>[] = ['FIREWALL:ANALYZE', 'FIREWALL:VALIDATE'];
const text = messages.setups;
const ATTACK = messages.attack;

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const shell = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;
/** The address of a project: requests below it are for the project. */
const base = ({ origin, project }: Target) => (project === '' ? origin : `${origin}/p/${project}`);
const path = (target: Target, rest: string) => base({ ...target, origin: '' }) + rest;
const user = (content: string) => ({ role: 'user', content });

const native: Setup = {
  id: 'native',
  ...text.native,
  surface: 'native',
  isGateway: false,
  permissions: [...GUARD, 'FIREWALL:MASK'],
  write: ({ origin, project }) => [
    {
      code: `curl -sS --fail-with-body ${origin}/v2/guardengine/svc_firewall_analyze \\
  -H "X-API-Key: $${VARIABLE}" -H 'Content-Type: application/json' \\
  -d ${shell({ prompt: ATTACK, ...(project === '' ? {} : { projectId: project }) })}
`,
    },
  ],
  call: ({ project }) => ({
    path: '/v2/guardengine/svc_firewall_analyze',
    body: { prompt: ATTACK, ...(project === '' ? {} : { projectId: project }) },
  }),
};

const openai: Setup = {
  id: 'openai',
  ...text.openai,
  surface: 'gateway',
  isGateway: true,
  permissions: GUARD,
  write: (target) => [
    {
      code: `import os

from openai import OpenAI

client = OpenAI(base_url="${base(target)}/v1", api_key=os.environ["${VARIABLE}"])
answer = client.chat.completions.create(
    model="${target.model}",
    messages=[{"role": "user", "content": "${ATTACK}"}],
)
print(answer.choices[0].message)
`,
    },
  ],
  call: (target) => ({
    path: path(target, '/v1/chat/completions'),
    body: { model: target.model, messages: [user(ATTACK)] },
  }),
};

const anthropic: Setup = {
  id: 'anthropic',
  ...text.anthropic,
  surface: 'gateway',
  isGateway: true,
  permissions: GUARD,
  write: (target) => [
    {
      code: `import os

from anthropic import Anthropic

client = Anthropic(base_url="${base(target)}", api_key=os.environ["${VARIABLE}"])
answer = client.messages.create(
    model="${target.model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "${ATTACK}"}],
)
print(answer.content)
`,
    },
  ],
  call: (target) => ({
    path: path(target, '/v1/messages'),
    body: { model: target.model, max_tokens: 1024, messages: [user(ATTACK)] },
  }),
};

const litellm: Setup = {
  id: 'litellm',
  ...text.litellm,
  surface: 'litellm',
  isGateway: false,
  permissions: GUARD,
  write: (target) => [
    {
      file: 'config.yaml',
      code: `guardrails:
  - guardrail_name: guardengine
    litellm_params:
      guardrail: generic_guardrail_api
      mode: [pre_call, post_call]
      api_base: ${base(target)}
      api_key: os.environ/${VARIABLE}
      unreachable_fallback: fail_closed
      default_on: true
`,
    },
  ],
  call: (target) => ({
    path: path(target, '/beta/litellm_basic_guardrail_api'),
    body: { input_type: 'request', texts: [ATTACK], structured_messages: [user(ATTACK)], request_data: {} },
  }),
};

const HOOK_EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse'];

const claudeCode: Setup = {
  id: 'claude_code',
  ...text.claudeCode,
  surface: 'claude_code',
  isGateway: false,
  permissions: GUARD,
  write: (target) => {
    const url = `${base(target)}/v1/hooks/claude-code`;
    const headers = { 'X-API-Key': `$${VARIABLE}` };
    const hook = { type: 'http', url, headers, allowedEnvVars: [VARIABLE], onFailure: 'block' };
    const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [hook] }]]));
    return [{ file: '.claude/settings.json', code: json({ hooks }) }];
  },
  call: (target) => ({
    path: path(target, '/v1/hooks/claude-code'),
    body: { session_id: 'connection-check', hook_event_name: 'UserPromptSubmit', prompt: ATTACK },
  }),
};

const presidio: Setup = {
  id: 'presidio',
  ...text.presidio,
  surface: 'presidio',
  isGateway: false,
  permissions: ['FIREWALL:MASK'],
  write: (target) => [
    {
      code: `import os

import requests

found = requests.post(
    "${base(target)}/analyze",
    headers={"X-API-Key": os.environ["${VARIABLE}"]},
    json={"text": "${messages.personal}", "language": "en"},
    timeout=10,
)
found.raise_for_status()
print(found.json())
`,
    },
  ],
  call: (target) => ({ path: path(target, '/analyze'), body: { text: messages.personal, language: 'en' } }),
};

const mcp: Setup = {
  id: 'mcp',
  ...text.mcp,
  surface: 'mcp',
  isGateway: false,
  permissions: [...GUARD, 'FIREWALL:MASK'],
  write: (target) => {
    const headers = { Authorization: `Bearer \${${VARIABLE}}` };
    const server = { type: 'http', url: `${base(target)}/mcp`, headers };
    return [{ file: '.mcp.json', code: json({ mcpServers: { guardengine: server } }) }];
  },
  call: (target) => ({
    path: path(target, '/mcp'),
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'guard_check', arguments: { text: ATTACK } },
    },
  }),
};

/** All ways to connect an application. */
export const SETUPS: Setup[] = [native, openai, anthropic, litellm, claudeCode, presidio, mcp];

/** Returns the first model that a project's routes name exactly, or else an example. */
export function modelOf(gateway: Schema<'GatewaySettings'> | null | undefined): string {
  const exact = gateway?.routes.find(({ model }) => !model.includes('*'))?.model;
  return exact ?? messages.exampleModel;
}
