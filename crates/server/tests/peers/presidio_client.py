"""LiteLLM's Presidio guardrail, and what presidio-anonymizer encrypts."""

import asyncio
import json
import urllib.request

from litellm.proxy.guardrails.guardrail_hooks.presidio import _OPTIONAL_PresidioPIIMasking
from presidio_anonymizer import AnonymizerEngine, DeanonymizeEngine
from presidio_anonymizer.entities import OperatorConfig, OperatorResult, RecognizerResult

from setup import ADDRESS, guarded

KEY = "WmZq4t7w!z%C&F)J"


async def litellm(below):
    guard = _OPTIONAL_PresidioPIIMasking(
        presidio_analyzer_api_base=below + "/", presidio_anonymizer_api_base=below + "/", output_parse_pii=False
    )
    masked = await guard.check_pii(
        text="Grüße: jane@example.com!", output_parse_pii=False, presidio_config=None, request_data={"metadata": {}}
    )
    assert masked == "Grüße: <EMAIL_ADDRESS>!", masked


def exchange(below):
    """What one encrypts, the other decrypts."""

    def post(path, body):
        request = urllib.request.Request(below + path, json.dumps(body).encode(), method="POST")
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    text, place = "My name is Chloë!", {"start": 11, "end": 16, "score": 0.8, "entity_type": "PERSON"}
    encrypt, decrypt = {"type": "encrypt", "key": KEY}, {"type": "decrypt", "key": KEY}
    ours = post("/anonymize", {"text": text, "analyzer_results": [place], "anonymizers": {"DEFAULT": encrypt}})
    item = ours["items"][0]
    result = OperatorResult(item["start"], item["end"], item["entity_type"], item["text"], item["operator"])
    opened = DeanonymizeEngine().deanonymize(ours["text"], [result], {"DEFAULT": OperatorConfig("decrypt", {"key": KEY})})
    assert opened.text == text, opened
    found = RecognizerResult("PERSON", 11, 16, 0.8)
    theirs = AnonymizerEngine().anonymize(text, [found], {"DEFAULT": OperatorConfig("encrypt", {"key": KEY})})
    items = [{"start": item.start, "end": item.end, "entity_type": item.entity_type} for item in theirs.items]
    body = {"text": theirs.text, "anonymizer_results": items, "deanonymizers": {"DEFAULT": decrypt}}
    assert post("/deanonymize", body)["text"] == text


base, key = guarded("presidio")
below = base.replace(ADDRESS, f"{ADDRESS}/k/{key}")
asyncio.run(litellm(below))
exchange(below)
