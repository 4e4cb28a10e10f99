"""Labelled texts: what the data folders, the corpora and the grammars hold, as one kind of row."""

import gzip
import hashlib
import json
import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labels import EVERY, bits, language

BEFORE_ILLICIT = bits(
    ("violence", "fraud", "model_jailbreak", "prompt_injection", "impersonation", "copyright_infringement", "nsfw", "self_harm")
)
"""A row with one of these labels that was written before `illicit` existed may hold it too."""
ILLICIT = bits(("illicit",))
ENTITY_NEGATIVES = bits(("prompt_injection", "model_jailbreak", "model_denial"))
CHOICE = re.compile(r"(?<!\\)\{([^{}]*)\}")
DEEPEST = 40


@dataclass(frozen=True)
class Row:
    """A text with the labels that hold and those known to be absent, as bit sets."""

    text: str
    holds: int
    absent: int
    lang: int
    role: str
    source: str
    spans: tuple[tuple[int, int, str], ...] | None = None


def lines(path: Path) -> Iterator[dict]:
    """The JSON objects of a `.jsonl` or `.jsonl.gz` file."""
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as file:
        for line in file:
            yield json.loads(line)


def files(folder: Path) -> list[Path]:
    """The data files of a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.name.endswith((".jsonl", ".jsonl.gz")))


def source_of(path: Path) -> str:
    """The source that a file's rows are drawn as."""
    return f"{path.parent.name}/{path.name.split('.')[0]}"


def absent_of(negatives: str | list[str], holds: int, knows_illicit: bool) -> int:
    """The labels known to be absent."""
    if negatives != "all":
        return bits(negatives) & ~holds
    absent = EVERY & ~holds
    return absent & ~ILLICIT if not knows_illicit and holds & BEFORE_ILLICIT else absent


def row_of(raw: dict, source: str, knows_illicit: bool = True) -> Row:
    """A row as it is written."""
    if "labels" not in raw and "spans" in raw:
        spans = tuple((span["start"], span["end"], span["label"]) for span in raw["spans"])
        return Row(raw["text"], 0, ENTITY_NEGATIVES, language(raw["lang"]), "user", source, spans)
    holds = bits(raw["labels"])
    absent = absent_of(raw.get("negatives", raw.get("neg", [])), holds, knows_illicit)
    return Row(raw["text"], holds, absent, language(raw["lang"]), raw.get("role") or "user", source)


def of_folder(folder: Path, knows_illicit: bool = True) -> Iterator[Row]:
    """The rows of a folder. Rows of `*relabel*` replace the labels of the row with the same text and file."""
    changes = {}
    for path in files(folder.parent / "train" if (folder.parent / "train").is_dir() else folder):
        if "relabel" in path.name:
            changes |= {(raw["file"], raw["md5"]): raw for raw in lines(path)}
    for path in files(folder):
        source = source_of(path)
        for raw in lines(path) if "relabel" not in path.name else ():
            change = changes.get((source, hashlib.md5(raw["text"].encode()).hexdigest())) if changes else None
            if change:
                raw |= {"labels": change["labels"], "negatives": change["negatives"]}
            yield row_of(raw, source, knows_illicit)


def expanded(template: str, slots: dict[str, list[str]], chance: random.Random) -> str:
    """A text of a grammar: `{a|b}` is one of the choices, `{name}` one of a slot's texts, and both nest."""
    text = template
    for _ in range(DEEPEST):
        found = CHOICE.search(text)
        if not found:
            break
        inside = found[1]
        put = chance.choice(slots[inside] if inside in slots else inside.split("|"))
        text = text[: found.start()] + put + text[found.end() :]
    return text.replace("\\{", "{").replace("\\}", "}")


def of_grammars(folder: Path, seed: int) -> Iterator[Row]:
    """Texts drawn from the grammars, the same for the same seed."""
    for path in sorted(folder.glob("*.toml")):
        grammar = tomllib.loads(path.read_text(encoding="utf-8"))
        chance = random.Random(f"{seed}/{path.name}")
        for family in grammar["family"]:
            seen = set()
            for _ in range(family.get("samples", 40) * 2):
                text = expanded(chance.choice(family["texts"]), grammar.get("slots", {}), chance)
                if text not in seen and len(seen) < family.get("samples", 40):
                    seen.add(text)
                    raw = {"text": text, "labels": family["labels"], "negatives": family.get("negatives", "all")}
                    raw |= {"lang": family.get("lang", "en"), "role": family.get("role", "user")}
                    yield row_of(raw, f"grammars/{path.stem}", knows_illicit=False)


def distinct(rows: Iterator[Row]) -> list[Row]:
    """The rows without those whose text came before."""
    seen, kept = set(), []
    for row in rows:
        key = hashlib.md5(f"{row.role}/{row.spans is not None}/{row.text}".encode()).digest()
        if key not in seen:
            seen.add(key)
            kept.append(row)
    return kept


def everything(folders: list[Path], repository: Path, seed: int) -> list[Row]:
    """Every labelled row: the data folders, then the repository's own corpora and grammars."""

    def read() -> Iterator[Row]:
        for folder in folders:
            yield from of_folder(folder)
        corpora = repository / "training/corpora"
        if corpora.is_dir():
            yield from of_folder(corpora, knows_illicit=False)
        if (repository / "training/grammars").is_dir():
            yield from of_grammars(repository / "training/grammars", seed)

    return distinct(read())
