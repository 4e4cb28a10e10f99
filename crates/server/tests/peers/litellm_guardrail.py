"""LiteLLM's generic guardrail and its Lakera and Presidio guardrails, without its proxy."""

import asyncio

from litellm.exceptions import GuardrailRaisedException
from litellm.llms.openai.chat.guardrail_translation.handler import OpenAIChatCompletionsHandler
from litellm.proxy.guardrails.guardrail_hooks.generic_guardrail_api import GenericGuardrailAPI
from litellm.proxy.guardrails.guardrail_hooks.lakera_ai_v2 import LakeraAIGuardrail
from litellm.types.guardrails import GuardrailEventHooks
from litellm.types.utils import Choices, Message, ModelResponse

from setup import ORDER, guarded


async def generic(base, key):
    guard = GenericGuardrailAPI(api_base=base, api_key=key, guardrail_name="guardengine", event_hook="pre_call")
    handler = OpenAIChatCompletionsHandler()
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "I am jane@example.com"}]
    data = await handler.process_input_messages({"model": "m", "messages": messages, "metadata": {}}, guard)
    assert [row["content"] for row in data["messages"]] == ["Be kind.", "I am [EMAIL_REDACTED]"], data
    try:
        attack = {"model": "m", "messages": [{"role": "user", "content": ORDER}], "metadata": {}}
        await handler.process_input_messages(attack, guard)
        raise AssertionError("the order passed")
    except GuardrailRaisedException as error:
        assert "prompt_injection" in str(error), error
    answer = ModelResponse(choices=[Choices(message=Message(role="assistant", content="Write to jane@example.com"))])
    await handler.process_output_response(answer, guard)
    assert answer.choices[0].message.content == "Write to [EMAIL_REDACTED]", answer


async def lakera(base, key):
    guard = LakeraAIGuardrail(api_key=key, api_base=base, guardrail_name="lakera", event_hook="pre_call")

    async def asked(text):
        rows = [{"role": "user", "content": text}]
        response, _ = await guard.call_v2_guard(rows, {"metadata": {}}, GuardrailEventHooks.pre_call)
        return rows, response

    _, passed = await asked("What is a lamp?")
    assert not passed["flagged"], passed
    rows, found = await asked("I am jane@example.com, hello")
    assert found["flagged"] and guard._is_only_pii_violation(found), found
    masked = guard._mask_pii_in_messages(rows, found, {})
    assert masked[0]["content"] == "I am [MASKED EMAIL], hello", masked
    _, attack = await asked(ORDER)
    assert attack["flagged"] and not guard._is_only_pii_violation(attack), attack


async def main():
    base, key = guarded("litellm")
    await generic(base, key)
    await lakera(base, key)


asyncio.run(main())
