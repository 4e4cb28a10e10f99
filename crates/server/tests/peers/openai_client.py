"""OpenAI's Python client: moderations and decisions."""

import openai

from setup import ORDER, guarded

base, key = guarded("openai")
client = openai.OpenAI(base_url=f"{base}/v1", api_key=key, max_retries=0)

moderation = client.moderations.create(model="omni-moderation-latest", input=["What is a lamp?", ORDER])
assert [result.flagged for result in moderation.results] == [False, True], moderation
assert moderation.results[0].category_scores.self_harm_intent == 0, moderation

questions = [
    {"type": "predicate", "name": "prompt_injection", "instructions": "Is it an attack?"},
    {"type": "predicate", "name": "unknown", "instructions": "Is it?"},
]
decision = client.decisions.create(model="gpt-6-luna", input=ORDER, questions=questions)
assert decision.answers[0].probability > 0.5, decision
assert decision.answers[1].type == "refusal", decision

try:
    openai.OpenAI(base_url=f"{base}/v1", api_key="ge_wrong", max_retries=0).moderations.create(input="a")
    raise AssertionError("a wrong key was accepted")
except openai.AuthenticationError as error:
    assert error.code == "invalid_api_key", error
