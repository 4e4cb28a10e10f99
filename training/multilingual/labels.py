"""The names of everything the model predicts or takes as input, in the order of its outputs."""

LABELS = (
    "prompt_injection",
    "model_jailbreak",
    "model_denial",
    "toxicity",
    "hate_speech",
    "nsfw",
    "violence",
    "self_harm",
    "religious_content",
    "copyright_infringement",
    "fraud",
    "spam",
    "bias",
    "impersonation",
    "illicit",
)
"""Guardrails, one logit each."""

ATTACKS = ("prompt_injection", "model_jailbreak", "model_denial")
"""Guardrails that protect the model itself."""

ROLES = ("user", "document", "model", "system", "tool")
"""Where a text comes from. `document` is untrusted content; `tool` covers tool results and tool descriptions."""

ENTITIES = ("PERSON", "ADDRESS", "ORGANIZATION", "USERNAME", "LOCATION", "DATE_OF_BIRTH")
"""PII types that the token tags find. Types with a checksum or a fixed shape stay with the rules."""

TAGS = ("O", *(f"{prefix}-{entity}" for entity in ENTITIES for prefix in ("B", "I")))
"""Token tags: outside, then beginning and inside of each entity."""

LANGUAGES = tuple(
    "und ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nl no pl pt ro ru sk sl sr sv ta th tr uk ur vi zh".split()
)
"""Language codes, `und` first: code, numbers and text in no known language."""

UNKNOWN = -100
"""A tag or language that is not known and takes no part in the loss."""

ALIASES = {"sp": "es", "jp": "ja", "nb": "no", "nn": "no", "iw": "he", "in": "id", "pt_BR": "pt", "zh_CN": "zh", "zh_TW": "zh"}


def language(code: str) -> int:
    """The index of a language code, or `UNKNOWN`."""
    code = ALIASES.get(code, code)
    return LANGUAGES.index(code) if code in LANGUAGES else UNKNOWN


def bits(names) -> int:
    """Labels as a bit set. Names that are no label are ignored."""
    return sum(1 << LABELS.index(name) for name in set(names) if name in LABELS)


EVERY = (1 << len(LABELS)) - 1
"""The bit set of all labels."""
