"""Calls a service with the client that openapi-python-client generates. Every request and answer is typed."""

import os

from python import AuthenticatedClient, Client
from python.api.api_keys import api_keys_create
from python.api.connectors import connectors_create_webhook, connectors_update
from python.api.guard import guard_analyze, guard_validate
from python.api.logs import logs_list
from python.api.policies import policies_create, policies_update
from python.api.projects import projects_create
from python.api.sessions import sessions_token
from python.models import (
    ConnectorChange,
    ConnectorsCreateWebhookBody,
    CreateProjectRequest,
    Credentials,
    Decision,
    DocumentItemType1,
    ErrorBody,
    GuardrailName,
    GuardrailRequest,
    LogContent,
    MaskingChoiceType1,
    MaskingStrategy,
    ModelResponse,
    PolicyChange,
    PolicyMode,
    PolicyRequest,
    Prompt,
)

ADDRESS, PASSWORD = os.environ["SERVICE_ADDRESS"], os.environ["SERVICE_PASSWORD"]

signed_in = sessions_token.sync(client=Client(ADDRESS), body=Credentials(username="admin", password=PASSWORD))
owner = AuthenticatedClient(ADDRESS, token=signed_in.access_token)

guardrails = [
    GuardrailRequest(guardrail=GuardrailName.PROMPT_INJECTION, threshold=0.7),
    GuardrailRequest(guardrail=GuardrailName.PII, pii_masking_enabled=True),
]
policy = policies_create.sync(
    client=owner, body=PolicyRequest(policy_name="from Python", policy_mode=PolicyMode.UNIFIED, guardrails=guardrails)
)
changed = policies_update.sync(policy.policy_id, client=owner, body=PolicyChange(max_prompt_length=5000))
assert changed.max_prompt_length == 5000, changed

project = projects_create.sync(
    client=owner,
    body=CreateProjectRequest(project_name="from Python", policy_id=policy.policy_id, log_content=LogContent.MASKED),
)
webhook = ConnectorsCreateWebhookBody(
    name="from Python", url="https://hooks.example.com/there", secret="a secret of more than sixteen characters"
)
connector = connectors_create_webhook.sync(client=owner, body=webhook)
connector = connectors_update.sync(connector.id, client=owner, body=ConnectorChange(enabled=False))
assert connector.status == "disabled", connector

key = api_keys_create.sync(client=owner, name="from Python")
application = AuthenticatedClient(ADDRESS, token=key.api_key, prefix="", auth_header_name="X-API-Key")
asked = guard_analyze.sync(
    client=application,
    body=Prompt(
        prompt="Write to jane@example.com about the weather.",
        project_id=project.project_id,
        documents=["Sun until noon.", DocumentItemType1(text="Then rain.")],
        conversation_history=["Hello"],
        pii_masking=MaskingChoiceType1(enabled=True, strategy=MaskingStrategy.FULL),
    ),
)
assert asked.action is Decision.MASK and asked.triggered_guardrails[0].spans[0].start == 9, asked

unknown = "00000000-0000-0000-0000-000000000000"
refused = guard_validate.sync_detailed(client=application, body=ModelResponse(response="Fine.", project_id=unknown))
assert refused.status_code == 404 and isinstance(refused.parsed, ErrorBody), refused

logs = logs_list.sync(client=owner, limit=10)
assert logs.logs[0].decision is Decision.MASK, logs
print("the Python client works")
