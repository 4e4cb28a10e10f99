"""Rows that are made of two: a line set into a harmless stretch, as planted orders are."""

import random
import re

from model import LABELS

INJECTION = LABELS.index("prompt_injection")
# Characters of the longest line, of the least that stands around it, and of both together: the service reads no more at once.
LINE = 220
LEAST = 150
MOST = 640
# Share of planted texts in documents that are requests, the rest being statements, and the confidence that they are
# injections.
HOSTILE = 0.6
SURE = 0.8
REQUEST = re.compile(
    r"(?:please|can|could|would|will|do|does|did|is|are|what|whats|what's|how|hows|how's|who|where|when|why|which|tell|give"
    r"|show|find|book|set|turn|play|send|call|remind|add|make|create|write|explain|translate|list|order|cancel|transfer|pay"
    r"|schedule|check|open|start|stop|delete|remove|change|update|buy|get|help|suggest|recommend|describe|summari[sz]e|compare"
    r"|define|calculate|convert|compose|name|pick|share|switch|put|increase|decrease|lower|raise|read|look|let me know"
    r"|i need you|i want you|i'd like)\b",
    re.IGNORECASE,
)
QUESTION = re.compile(r"(?:what|how|who|where|when|why|which|is|are|do|does|did|can|could|would|will)", re.IGNORECASE)
LEADS = (
    "", "", "", "", "", "Please ", "Also, ", "By the way, ", "PS: ", "And then ", "One more thing: ", "Before that, ", "Note: ",
)


def planted(rows: list[dict], count: int, around: int, given: float, chance: random.Random) -> list[dict]:
    """One line, hostile or not, among at most `around` characters of harmless ones: what the encoder meets in long texts,
    and must not read past. Were all of them hostile, a break in the thread would do for an attack. A share of `given` is
    what a model is given to read, but for requests that whoever asks may make and documents may not."""
    is_gloss = lambda row: row["lang"] != "en"
    lines = [row for row in rows if len(row["text"]) <= LINE]
    hosts = [row for row in rows if not any(row["holds"]) and len(row["text"]) >= LEAST]
    of = {gloss: [row for row in hosts if is_gloss(row) == gloss] for gloss in (False, True)}
    drawn = chance.choices(lines, [row["share"] for row in lines], k=count)
    made = [within(chance.choice(of[is_gloss(line)]), line, around, chance) for line in drawn]
    is_clear = lambda line: line["holds"][INJECTION] or "?" not in line["text"] and not REQUEST.match(line["text"])
    for line, row in zip(drawn, made):
        row["given"] = bool(given) and is_clear(line) and chance.random() < given
    return made


def within(host: dict, line: dict, around: int, chance: random.Random) -> dict:
    """The line at an end of a sentence of the host, or between words where it has none."""
    length = min(chance.choice(range(LEAST, around)), MOST - len(line["text"]))
    stretch = host["text"][:length]
    ends = [found.end() for found in re.finditer(r"[.!?:]\s+|\n+", stretch)] or [found.end() for found in re.finditer(" ", stretch)]
    place = chance.choice([0, *ends, len(stretch)])
    parts = (stretch[:place].strip(), line["text"].strip(), stretch[place:].strip())
    # A label that holds for the line holds for the whole; one that is absent must be absent from both.
    weights = [
        mine if holds else min(mine, theirs)
        for holds, mine, theirs in zip(line["holds"], line["weights"], host["weights"])
    ]
    text = chance.choice((" ", "\n")).join(part for part in parts if part)
    return line | {"text": text, "weights": weights, "share": 1.0}


def asked(rows: list[dict], count: int, around: int, chance: random.Random) -> list[dict]:
    """What people ask of an assistant, within what the model is given to read, where nobody may ask; and a statement from
    elsewhere in its place, so that a break in the thread alone is no order."""
    clean = [row for row in rows if row["lang"] == "en" and not any(row["holds"])]
    hosts = [row for row in clean if row["given"] and len(row["text"]) >= LEAST]
    requests = [row for row in clean if not row["given"] and len(row["text"]) <= LINE and REQUEST.match(row["text"])]
    made = []
    for _ in range(count):
        host, is_hostile = chance.choice(hosts), chance.random() < HOSTILE
        line = request(chance.choice(requests), chance) if is_hostile else statement(hosts, chance)
        row = within(host, line, around, chance) | {"source": "asked", "given": True, "weights": list(host["weights"])}
        row["holds"] = [int(is_hostile and label == INJECTION) for label in range(len(LABELS))]
        row["weights"][INJECTION] = SURE if is_hostile else 1.0
        made.append(row)
    return made


def request(row: dict, chance: random.Random) -> dict:
    """The row's request as it would stand among sentences."""
    text, lead = row["text"].strip(), chance.choice(LEADS)
    text = lead + (text[0].lower() + text[1:] if lead else text)
    if text[-1].isalnum():
        text += "?" if QUESTION.match(text) else "."
    return row | {"text": text[0].upper() + text[1:]}


def statement(hosts: list[dict], chance: random.Random) -> dict:
    """A sentence of one of the hosts that asks nothing."""
    while True:
        host = chance.choice(hosts)
        sentences = re.split(r"(?<=[.!])\s+", host["text"])
        told = [one for one in sentences if 25 <= len(one) <= LINE and "?" not in one and not REQUEST.match(one)]
        if told:
            return host | {"text": chance.choice(told)}
