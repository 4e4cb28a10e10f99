"""The gateway with the Python clients of OpenAI, Anthropic and LangChain, and the Vercel AI SDK, streaming and not."""

import os
import subprocess

import anthropic
import openai
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI

import provider
from provider import MASKED
from setup import ORDER, gateway

MODEL, CLAUDE = "model-1", "claude-1"
PROMPT = "Where is the parcel of jane@example.com?"
upstream, received = provider.start()
base, key = gateway("gateway", upstream)


def user(text):
    return [{"role": "user", "content": text}]


def passed_on():
    """The bodies that the provider received since the last time: masked, and not empty."""
    bodies = [body for body in received if '"content":"ping"' not in body]  # without checks of connectors
    received.clear()
    assert bodies and all("[EMAIL_REDACTED]" in body and "jane@" not in body for body in bodies), bodies


client = openai.OpenAI(base_url=f"{base}/v1", api_key=key, max_retries=0)
said = client.chat.completions.create(model=MODEL, messages=user(PROMPT))
assert said.choices[0].message.content == MASKED, said
with client.chat.completions.stream(model=MODEL, messages=user(PROMPT)) as stream:
    assert stream.get_final_completion().choices[0].message.content == MASKED
assert client.responses.create(model=MODEL, input=PROMPT).output_text == MASKED
with client.responses.stream(model=MODEL, input=PROMPT) as stream:
    assert stream.get_final_response().output_text == MASKED
passed_on()
refused = client.chat.completions.create(model=MODEL, messages=user(ORDER))
assert refused.choices[0].finish_reason == "content_filter", refused
assert refused.choices[0].message.refusal, refused

claude = anthropic.Anthropic(base_url=base, api_key=key, max_retries=0)
said = claude.messages.create(model=CLAUDE, max_tokens=100, messages=user(PROMPT))
assert said.content[0].text == MASKED, said
with claude.messages.stream(model=CLAUDE, max_tokens=100, messages=user(PROMPT)) as stream:
    assert stream.get_final_text() == MASKED
passed_on()
refused = claude.messages.create(model=CLAUDE, max_tokens=100, messages=user(ORDER))
assert refused.stop_reason == "refusal", refused
with claude.messages.stream(model=CLAUDE, max_tokens=100, messages=user(ORDER)) as stream:
    assert stream.get_final_message().stop_reason == "refusal"

chains = [
    ChatOpenAI(model=MODEL, base_url=f"{base}/v1", api_key=key, max_retries=0),
    ChatOpenAI(model=MODEL, base_url=f"{base}/v1", api_key=key, max_retries=0, use_responses_api=True),
    ChatAnthropic(model=CLAUDE, base_url=base, api_key=key, max_retries=0, max_tokens=100),
]
for chain in chains:
    assert chain.invoke(PROMPT).text == MASKED, chain
    assert "".join(chunk.text for chunk in chain.stream(PROMPT)) == MASKED, chain
    passed_on()

arguments = [base, key, MODEL, CLAUDE, PROMPT, MASKED, ORDER]
subprocess.run(["node", os.environ["VERCEL_AI_SCRIPT"], *arguments], check=True, timeout=120)
passed_on()
