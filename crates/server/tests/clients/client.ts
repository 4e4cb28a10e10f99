// Calls a service with the client that openapi-typescript generates. Every request and answer is typed.

import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

type Decision = components['schemas']['Decision'];

// The packages of the console have no types of Node.js.
declare const process: { env: Record<string, string | undefined> };

function holds(condition: unknown, otherwise: unknown): asserts condition {
  if (!condition) throw new Error(`unexpected: ${JSON.stringify(otherwise)}`);
}

const { SERVICE_ADDRESS: baseUrl = '', SERVICE_PASSWORD: password = '' } = process.env;
const client = createClient<paths>({ baseUrl });

const signedIn = await client.POST('/token', {
  body: { username: 'admin', password },
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  bodySerializer: (body) => new URLSearchParams(body as Record<string, string>),
});
holds(signedIn.data && 'access_token' in signedIn.data, signedIn);
const owner = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${signedIn.data.access_token}` } });

const policy = await owner.POST('/api/policy/create', {
  body: {
    policyName: 'typed',
    policyMode: 'unified',
    guardrails: [
      { guardrail: 'prompt_injection', threshold: 0.7, action: 'Block' },
      { guardrail: 'pii', pii_masking_enabled: true, pii_masking_strategy: 'partial' },
    ],
    incomplete_coverage: { action: 'Escalate' },
  },
});
holds(policy.data, policy.error);
const changed = await owner.PUT('/api/policy/{policyId}', {
  params: { path: { policyId: policy.data.policyId } },
  body: { max_prompt_length: 5000 },
});
holds(changed.data?.max_prompt_length === 5000, changed);

const project = await owner.POST('/api/project/create', {
  body: { projectName: 'typed', policyId: policy.data.policyId, log_content: 'masked' },
});
holds(project.data, project.error);

const connector = await owner.POST('/api/connectors/webhook', {
  body: { name: 'typed', url: 'https://hooks.example.com/here', secret: 'a secret of more than sixteen characters' },
});
holds(connector.data, connector.error);
const renamed = await owner.PUT('/api/connectors/{id}', {
  params: { path: { id: connector.data.id } },
  body: { name: 'renamed', enabled: false },
});
holds(renamed.data?.status === 'disabled', renamed);

const key = await owner.POST('/api-keys/create', { params: { query: { name: 'typed' } } });
holds(key.data, key.error);
const application = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key.data.api_key } });

const asked = await application.POST('/v2/guardengine/svc_firewall_analyze', {
  body: {
    prompt: 'Write to jane@example.com about the weather.',
    projectId: project.data.projectId,
    documents: ['Sun until noon.', { text: 'Then rain.' }],
    conversation_history: ['Hello', { role: 'assistant', content: 'Good morning.' }],
    pii_masking: { enabled: true, strategy: 'full' },
  },
});
holds(asked.data, asked.error);
const action: Decision = asked.data.action;
holds(action === 'mask' && asked.data.triggered_guardrails[0]?.spans[0]?.start === 9, asked.data);

const refused = await application.POST('/v2/guardengine/svc_firewall_validate', {
  body: { response: 'Fine.', projectId: '00000000-0000-0000-0000-000000000000' },
});
holds(refused.response.status === 404 && typeof refused.error?.detail === 'string', refused);

const logs = await owner.GET('/api/logs', { params: { query: { limit: 10 } } });
holds(logs.data?.logs[0]?.decision === 'mask', logs);
console.log('the TypeScript client works');
