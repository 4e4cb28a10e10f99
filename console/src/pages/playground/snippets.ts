import type { Subject } from './judge';

type Snippet = { id: string; label: string; write: (subject: Subject, project: string, origin: string) => string };

const pathOf = ({ direction }: Subject) => (direction === 'input' ? '/v2/guardengine/svc_firewall_analyze' : '/v2/guardengine/svc_firewall_validate');
const bodyOf = ({ direction, text }: Subject, project: string) => ({ [direction === 'input' ? 'prompt' : 'response']: text, ...(project === '' ? {} : { projectId: project }) });
// JSON is Python too as long as it holds strings alone.
const json = (value: unknown) => JSON.stringify(value, null, 2);
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const curl = (subject: Subject, project: string, origin: string) => `curl -s ${origin}${pathOf(subject)} \\
  -H "X-API-Key: $GUARDENGINE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shell(json(bodyOf(subject, project)))}
`;

const python = (subject: Subject, project: string, origin: string) => `import os
import requests

answer = requests.post(
    "${origin}${pathOf(subject)}",
    headers={"X-API-Key": os.environ["GUARDENGINE_API_KEY"]},
    json=${json(bodyOf(subject, project)).replaceAll('\n', '\n    ')},
    timeout=10,
)
answer.raise_for_status()  # no answer is no permission: do not go on
decision = answer.json()
if not decision["allow_prompt"]:
    raise PermissionError(decision["reason"])
`;

const javascript = (subject: Subject, project: string, origin: string) => `const answer = await fetch('${origin}${pathOf(subject)}', {
  method: 'POST',
  headers: { 'X-API-Key': process.env.GUARDENGINE_API_KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify(${json(bodyOf(subject, project)).replaceAll('\n', '\n  ')}),
  signal: AbortSignal.timeout(10_000),
});
if (!answer.ok) throw new Error(await answer.text()); // no answer is no permission: do not go on
const decision = await answer.json();
if (!decision.allow_prompt) throw new Error(decision.reason);
`;

const litellm = (_: Subject, project: string, origin: string) => `# config.yaml of the LiteLLM proxy
guardrails:
  - guardrail_name: guardengine
    litellm_params:
      guardrail: guardengine_guardrail.Guardengine
      mode: pre_call
      default_on: true

# guardengine_guardrail.py, beside it
#
# import os
# import httpx
# from fastapi import HTTPException
# from litellm.integrations.custom_guardrail import CustomGuardrail
#
# class Guardengine(CustomGuardrail):
#     async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
#         *history, last = data["messages"]
#         async with httpx.AsyncClient(timeout=10) as client:
#             answer = await client.post(
#                 "${origin}/v2/guardengine/svc_firewall_analyze",
#                 headers={"X-API-Key": os.environ["GUARDENGINE_API_KEY"]},
#                 json={"prompt": last["content"], "conversation_history": history${project === '' ? '' : `, "projectId": "${project}"`}},
#             )
#         answer.raise_for_status()
#         decision = answer.json()
#         if not decision["allow_prompt"]:
#             raise HTTPException(status_code=400, detail=decision["reason"])
#         if decision["masked_prompt"]:
#             last["content"] = decision["masked_prompt"]
#         return data
`;

/** The languages in which the question is written. */
export const SNIPPETS: Snippet[] = [
  { id: 'curl', label: 'curl', write: curl },
  { id: 'python', label: 'Python', write: python },
  { id: 'javascript', label: 'JavaScript', write: javascript },
  { id: 'litellm', label: 'LiteLLM', write: litellm },
];
