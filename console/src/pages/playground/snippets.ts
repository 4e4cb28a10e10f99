import type { Piece } from '@/ui/Code';
import type { Subject } from './evaluate';

type Write = (subject: Subject, project: string, origin: string) => string;
type Snippet = { id: string; label: string; write: (subject: Subject, project: string, origin: string) => Piece[] };

const pathOf = ({ direction }: Subject) =>
  direction === 'input' ? '/v2/guardengine/svc_firewall_analyze' : '/v2/guardengine/svc_firewall_validate';
const maskedOf = ({ direction }: Subject) => (direction === 'input' ? 'masked_prompt' : 'masked_response');
const bodyOf = ({ direction, text }: Subject, project: string) => ({
  [direction === 'input' ? 'prompt' : 'response']: text,
  ...(project === '' ? {} : { projectId: project }),
});
// JSON that contains only strings is valid Python.
const json = (value: unknown) => JSON.stringify(value, null, 2);
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const curl: Write = (subject, project, origin) => `curl -sS --fail-with-body ${origin}${pathOf(subject)} \\
  -H "X-API-Key: $GUARDENGINE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${shell(json(bodyOf(subject, project)))}
`;

const python: Write = (subject, project, origin) => `import os
import requests

answer = requests.post(
    "${origin}${pathOf(subject)}",
    headers={"X-API-Key": os.environ["GUARDENGINE_API_KEY"]},
    json=${json(bodyOf(subject, project)).replaceAll('\n', '\n    ')},
    timeout=10,
)
answer.raise_for_status()  # without a decision, do not continue
decision = answer.json()
if not decision["allow_prompt"]:
    raise PermissionError(decision["reason"])
masked = decision["${maskedOf(subject)}"]  # if not None, send this text instead
`;

const javascript: Write = (subject, project, origin) => `const answer = await fetch('${origin}${pathOf(subject)}', {
  method: 'POST',
  headers: { 'X-API-Key': process.env.GUARDENGINE_API_KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify(${json(bodyOf(subject, project)).replaceAll('\n', '\n  ')}),
  signal: AbortSignal.timeout(10_000),
});
if (!answer.ok) throw new Error(await answer.text()); // without a decision, do not continue
const decision = await answer.json();
if (!decision.allow_prompt) throw new Error(decision.reason);
const masked = decision.${maskedOf(subject)}; // if not null, send this text instead
`;

// LiteLLM loads the class as FILE.CLASS from the folder of its configuration. It calls `apply_guardrail` with the texts
// of every request, and again with those of the response.
const LITELLM_CONFIG = `# config.yaml: add this to the configuration of the LiteLLM proxy
guardrails:
  - guardrail_name: guardengine
    litellm_params:
      guardrail: guardengine_guardrail.Guardengine
      mode: [pre_call, post_call]
      default_on: true
      skip_system_message_in_guardrail: true # written by you
`;

const litellm: Write = (_, project, origin) => `# guardengine_guardrail.py, beside config.yaml
import os

import httpx
from fastapi import HTTPException
from litellm.integrations.custom_guardrail import CustomGuardrail

URL = "${origin}/v2/guardengine/"


class Guardengine(CustomGuardrail):
    async def apply_guardrail(self, inputs, request_data, input_type, logging_obj=None):
        texts = inputs.get("texts") or []
        if input_type == "response":
            checked = [await evaluate("svc_firewall_validate", response=text) for text in texts]
        else:
            # Evaluate earlier turns too: the client sends them unmasked again.
            checked = [
                await evaluate("svc_firewall_analyze", prompt=text, conversation_history=texts[:at])
                for at, text in enumerate(texts)
            ]
        return {**inputs, "texts": checked}


async def evaluate(path, **body):
    async with httpx.AsyncClient(timeout=10) as client:
        answer = await client.post(
            URL + path,
            headers={"X-API-Key": os.environ["GUARDENGINE_API_KEY"]},
            json={**body${project === '' ? '' : `, "projectId": "${project}"`}, "source_app": "litellm"},
        )
    answer.raise_for_status()  # without a decision, LiteLLM refuses the request
    decision = answer.json()
    if not decision["allow_prompt"]:
        raise HTTPException(status_code=400, detail=decision["reason"])
    return decision.get("masked_prompt") or decision.get("masked_response") or next(iter(body.values()))
`;

const alone =
  (write: Write): Snippet['write'] =>
  (...asked) => [{ code: write(...asked) }];

/** The languages of the code snippets. */
export const SNIPPETS: Snippet[] = [
  { id: 'curl', label: 'curl', write: alone(curl) },
  { id: 'python', label: 'Python', write: alone(python) },
  { id: 'javascript', label: 'JavaScript', write: alone(javascript) },
  {
    id: 'litellm',
    label: 'LiteLLM',
    write: (...asked) => [
      { file: 'config.yaml', code: LITELLM_CONFIG },
      { file: 'guardengine_guardrail.py', code: litellm(...asked) },
    ],
  },
];
