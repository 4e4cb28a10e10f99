"""Draws the examples that the model learns from and writes them as shards of tokenised windows.

A shard depends on the seed, its number, the labelled rows and the installed files, and on nothing else, so that any shard
can be made again or further ones added. Every shard holds the same mixture.
"""

import random
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy
from tokenizers import Tokenizer

import augment
import forms
import passages
from labels import ATTACKS, EVERY, LABELS, LANGUAGES, ROLES, TAGS, UNKNOWN, bits
from rows import Row
from windows import CONTENT, Pieces, cut, pieces

SHARD = 8_192
"""Examples of a shard."""
MIXTURE = {"positive": 0.28, "negative": 0.20, "planted": 0.20, "twin": 0.05, "plain": 0.15, "entity": 0.08, "spoken": 0.04}
"""How often each sort of example is drawn. `Sampler` has a method for each."""
QUALITY = (
    ("written/", 4.0),
    ("corpora/", 2.5),
    ("grammars/", 0.6),
    ("train/synthetic", 0.5),
    ("train/agent_injection", 3.0),
    ("train/bipia", 1.5),
    ("train/hinglish", 2.5),
)
"""How much the rows of a source count; the first prefix that fits decides."""
NOISY = {
    f"train/{name}": 0.4
    for name in ("t_davidson", "mlma", "cold_zh", "told_br", "hatemoji_build", "redditbias", "germeval2018", "edos", "vihate_2")
    + ("vicomtech_stormfront", "curse_ko_2", "madlibs_templates", "spikee", "xsafety", "nlu_home", "clinc150", "dstc8_train")
}
SHARE = {"prompt_injection": 5.0, "model_jailbreak": 2.5, "illicit": 1.5, "hate_speech": 1.5}
"""How often a positive example is drawn for a label, 1 where it is not named."""
ATTACK_BITS = bits(ATTACKS)
ANYWHERE = EVERY & ~bits(("prompt_injection", "model_denial"))
"""Labels that most of a text shows, not one line of it."""
WHOLE = 0.75
"""Share of a planted text that a window must hold to be labelled like it."""
LONGEST_PLANTED = 420
LONGEST_CARRIER = 900
LONGEST_SENTENCE = 180
BEFORE, BEHIND = "\ue000", "\ue001"
"""Mark a planted text while its carrier is written."""
LOCATED = 400
"""Characters from which a positive text is compared with its harmless twin to find what is planted in it."""
SAME = 40
LONG = 900
"""Characters from which a positive text has several windows."""
LONGEST_TEXT = 24
"""Windows of such a text at most."""


@dataclass
class Draft:
    """A text before it is cut: `planted` is the range, in code points, that the labels in `holds` come from."""

    text: str
    holds: int
    absent: int
    lang: int = UNKNOWN
    role: str = "user"
    planted: tuple[int, int] | None = None
    spans: tuple[tuple[int, int, str], ...] | None = None


@dataclass
class Example:
    """A window, ready to be learnt."""

    ids: list[int]
    role: int
    holds: int
    known: int
    lang: int
    tags: list[int] | None = None
    group: int = 0
    """Windows of one text share a number, where it matters which text they are from."""


def weight(source: str, count: int) -> float:
    """How often a source of so many rows is drawn."""
    quality = next((factor for prefix, factor in QUALITY if source.startswith(prefix)), NOISY.get(source, 1.0))
    return quality * count**0.5


@dataclass
class Drawn:
    """Rows in groups by source, drawn by the weights of the groups."""

    groups: list[list[Row]]
    weights: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = [weight(group[0].source, len(group)) for group in self.groups]

    def draw(self, chance: random.Random) -> Row:
        return chance.choice(chance.choices(self.groups, self.weights)[0])


def grouped(rows: list[Row]) -> Drawn:
    """The rows by source."""
    groups = defaultdict(list)
    for row in rows:
        groups[row.source].append(row)
    return Drawn(list(groups.values()))


def planted_in(rows: list[Row]) -> dict[str, tuple[int, int]]:
    """For long positive texts that differ from a harmless one of the same source in one stretch: that stretch."""
    heads, tails = {}, {}
    for row in rows:
        if not row.holds and len(row.text) > SAME:
            heads.setdefault((row.source, row.text[:SAME]), row.text)
            tails.setdefault((row.source, row.text[-SAME:]), row.text)
    found = {}
    for row in rows:
        text = row.text
        if not row.holds or len(text) < LOCATED:
            continue
        twin = heads.get((row.source, text[:SAME])) or tails.get((row.source, text[-SAME:]))
        if twin:
            most = min(len(text), len(twin))
            start = next((place for place in range(most) if text[place] != twin[place]), most)
            behind = next((place for place in range(most - start) if text[-1 - place] != twin[-1 - place]), most - start)
            if 10 < len(text) - behind - start < len(text) // 2:
                found[text] = (start, len(text) - behind)
    return found


class Sampler:
    """Draws drafts of every sort."""

    def __init__(self, rows: list[Row]) -> None:
        guarded = [row for row in rows if row.spans is None]
        harmless = [row for row in guarded if not row.holds]
        self.by_label = [grouped([row for row in guarded if row.holds >> place & 1]) for place in range(len(LABELS))]
        self.shares = [SHARE.get(name, 1.0) if drawn.groups else 0.0 for name, drawn in zip(LABELS, self.by_label)]
        self.harmless = grouped(harmless)
        self.attacks = [grouped([row for row in guarded if row.holds >> place & 1 and len(row.text) <= LONGEST_PLANTED]) for place in range(len(LABELS))]
        self.twins = grouped([row for row in harmless if len(row.text) <= LONGEST_PLANTED])
        self.carriers = grouped([row for row in harmless if len(row.text) >= LONGEST_PLANTED])
        self.entities = grouped([row for row in rows if row.spans is not None])
        self.located = planted_in(guarded)
        self.long = [row for row in guarded if row.holds and len(row.text) > LONG]
        self.sentences, self.spoken_rows = defaultdict(list), defaultdict(list)
        for row in harmless:
            if row.absent == EVERY and 15 <= len(row.text) <= LONGEST_SENTENCE and row.role in ("user", "document"):
                self.sentences[row.lang].append(row.text)
        for row in rows:
            if row.lang > 0:
                self.spoken_rows[row.lang].append(row)

    def draft(self, chance: random.Random) -> Draft:
        """A draft of a sort drawn from the mixture."""
        return getattr(self, chance.choices(list(MIXTURE), list(MIXTURE.values()))[0])(chance)

    def single(self, row: Row, chance: random.Random) -> Draft:
        planted = self.located.get(row.text)
        text = row.text if planted else augment.augmented(row.text, chance)
        return Draft(text, row.holds, row.absent, row.lang, role_of(row, chance), planted)

    def positive(self, chance: random.Random) -> Draft:
        return self.single(chance.choices(self.by_label, self.shares)[0].draw(chance), chance)

    def negative(self, chance: random.Random) -> Draft:
        return self.single(self.harmless.draw(chance), chance)

    def planted(self, chance: random.Random) -> Draft:
        return self.carried(chance.choices(self.attacks, [share if drawn.groups else 0 for share, drawn in zip(self.shares, self.attacks)])[0].draw(chance), chance)

    def twin(self, chance: random.Random) -> Draft:
        return self.carried(self.twins.draw(chance), chance)

    def plain(self, chance: random.Random) -> Draft:
        draw = chance.random()
        if draw < 0.6:
            text, lang = passages.drawn(chance, LONGEST_CARRIER)
        elif draw < 0.92:
            said, lang = self.said(chance)
            text = chance.choice(forms.FORMS)(said, chance)
        else:
            text, lang = forms.encoded(chance, " ".join(self.said(chance)[0])[:400]), LANGUAGES.index("und")
        return Draft(text, 0, EVERY, lang, chance.choice(("user", "user", "document", "document", "tool", "model", "system")))

    def entity(self, chance: random.Random) -> Draft:
        row = self.entities.draw(chance)
        lower = row.text.lower()
        text = lower if chance.random() < 0.12 and len(lower) == len(row.text) else row.text
        return Draft(text, 0, row.absent, row.lang, chance.choice(ROLES), None, row.spans)

    def spoken(self, chance: random.Random) -> Draft:
        """A few words of a known language."""
        if chance.random() < 0.3:
            text, lang = passages.drawn(chance, 60)
            return Draft(text, 0, EVERY, lang)
        row = chance.choice(self.spoken_rows[chance.choice(list(self.spoken_rows))])
        words = row.text.split() if " " in row.text[:40] else list(row.text[:40])
        start, count = chance.randrange(max(1, len(words) - 5)), chance.randint(3, 9)
        text = (" " if " " in row.text[:40] else "").join(words[start : start + count])
        return Draft(text.lower() if chance.random() < 0.3 else text, 0, 0, row.lang, chance.choice(ROLES))

    def said(self, chance: random.Random, lang: int | None = None) -> tuple[list[str], int]:
        """Harmless sentences of one language."""
        if lang not in self.sentences:
            lang = chance.choices(list(self.sentences), [len(texts) ** 0.5 for texts in self.sentences.values()])[0]
        return chance.choices(self.sentences[lang], k=chance.randint(2, 9)), lang

    def carried(self, row: Row, chance: random.Random) -> Draft:
        """A short text set into a harmless carrier."""
        inner = BEFORE + augment.augmented(row.text, chance) + BEHIND
        absent, lang = EVERY, row.lang
        if chance.random() < 0.45:
            said, _ = self.said(chance, row.lang)
            said.insert(chance.randrange(len(said) + 1), inner)
            text = chance.choice(forms.FORMS)(said, chance)
        else:
            if chance.random() < 0.6:
                carrier, lang = passages.drawn(chance, LONGEST_CARRIER)
            else:
                other = self.carriers.draw(chance)
                start = chance.randrange(max(1, len(other.text) - LONGEST_CARRIER))
                carrier, absent, lang = other.text[start : start + LONGEST_CARRIER], other.absent, other.lang
            text = inserted(carrier, inner, chance)
        start, end = text.find(BEFORE), text.find(BEHIND) - 1
        text = text.replace(BEFORE, "").replace(BEHIND, "")
        if start < 0 or end <= start:
            return Draft(row.text, row.holds, row.absent, row.lang, row.role)
        lang = lang if lang == row.lang else UNKNOWN
        return Draft(text, row.holds, absent & row.absent, lang, carrier_role(row, chance), (start, end))


def inserted(carrier: str, inner: str, chance: random.Random) -> str:
    """The carrier with a text in it: between lines or sentences, between words, or anywhere."""
    places = [place + 1 for place, letter in enumerate(carrier) if letter in ("\n" if chance.random() < 0.5 else ".!?。 ")]
    draw = chance.random()
    place = 0 if draw < 0.12 else len(carrier) if draw < 0.24 else chance.choice(places) if places else chance.randrange(len(carrier) + 1)
    gap = chance.choice(("\n", "\n\n", " ", " "))
    return carrier[:place] + gap + inner + gap + carrier[place:]


def role_of(row: Row, chance: random.Random) -> str:
    """The role of a text, sometimes another one in which its labels hold as well."""
    draw = chance.random()
    if row.role != "user":
        return row.role
    if row.holds & ATTACK_BITS:
        return "document" if draw < 0.15 else "tool" if draw < 0.2 else "user"
    if draw < 0.12:
        return "model"
    return "document" if row.holds and draw < 0.2 else "user"


def carrier_role(row: Row, chance: random.Random) -> str:
    """The role of a carrier. A harmless request of a user stays in what a user sends: in a document it would not be harmless."""
    draw = chance.random()
    if row.role == "user":
        return "user" if not row.holds or draw < 0.5 else "document" if draw < 0.85 else "tool"
    return "tool" if row.role == "document" and draw < 0.35 else row.role


def chosen(draft: Draft, text: Pieces, chance: random.Random) -> tuple[int, int]:
    """A window of a draft."""
    count = len(text.ids)
    if count <= CONTENT:
        if count > 40 and chance.random() < 0.15:
            start = chance.randrange(count // 4)
            return start, count - chance.randrange(count // 4)
        return 0, count
    found = cut(text.breaks, chance.randrange(CONTENT) if chance.random() < 0.5 else 0)
    if draft.planted and chance.random() < 0.75:
        first, last = inside(draft.planted, text)
        whole = [window for window in found if window[0] <= first and window[1] >= last]
        if whole:
            return chance.choice(whole)
        start = max(0, first - chance.randrange(CONTENT // 2))
        return start, min(start + CONTENT, count)
    return chance.choice(found)


def inside(span: tuple[int, int], text: Pieces) -> tuple[int, int]:
    """The pieces of a range of code points."""
    touched = [place for place, (start, end) in enumerate(text.offsets) if start < span[1] and end > span[0] and end > start]
    return (touched[0], touched[-1] + 1) if touched else (0, 0)


def labelled(draft: Draft, text: Pieces, window: tuple[int, int]) -> tuple[int, int]:
    """The labels that hold in a window, and those that are known, as bit sets."""
    start, end = window
    if not draft.holds:
        return 0, draft.absent
    if draft.planted:
        first, last = inside(draft.planted, text)
        share = max(0, min(end, last) - max(start, first)) / max(1, last - first)
        if share == 0:
            return 0, draft.absent | draft.holds
        return (draft.holds, draft.holds | draft.absent) if share >= WHOLE else (0, draft.absent)
    if (end - start) / len(text.ids) >= WHOLE * 0.8:
        return draft.holds, draft.holds | draft.absent
    holds = draft.holds & ANYWHERE if len(text.ids) <= 3 * CONTENT else 0
    return holds, holds | draft.absent


def tagged(spans: tuple[tuple[int, int, str], ...], text: Pieces) -> list[int]:
    """A tag for each piece. Dates that may be dates of birth are unknown."""
    tags = [0] * len(text.ids)
    for start, end, label in spans:
        first, last = inside((start, end), text)
        for place in range(first, last):
            name = f"{'B' if place == first else 'I'}-{label}"
            tags[place] = TAGS.index(name) if name in TAGS else UNKNOWN if label == "DATE" else 0
    return tags


def example(draft: Draft, text: Pieces, chance: random.Random) -> Example | None:
    """A window of a draft, or none where the text is empty."""
    if not text.ids:
        return None
    start, end = chosen(draft, text, chance)
    holds, known = labelled(draft, text, (start, end))
    tags = tagged(draft.spans, text)[start:end] if draft.spans is not None else None
    return Example(text.ids[start:end], ROLES.index(draft.role), holds, known, draft.lang, tags)


def made(sampler: Sampler, tokenizer: Tokenizer, count: int, chance: random.Random) -> list[Example]:
    """So many examples."""
    drafts = [sampler.draft(chance) for _ in range(count)]
    encodings = tokenizer.encode_batch([draft.text for draft in drafts])
    found = (example(draft, pieces(draft.text, encoding), chance) for draft, encoding in zip(drafts, encodings))
    return [one for one in found if one]


def harmless(sampler: Sampler, tokenizer: Tokenizer, count: int, chance: random.Random) -> list[Example]:
    """So many harmless windows, for mining: passages, and windows of harmless rows."""
    drafts = [sampler.plain(chance) if chance.random() < 0.6 else sampler.negative(chance) for _ in range(count)]
    encodings = tokenizer.encode_batch([draft.text for draft in drafts])
    found = (example(draft, pieces(draft.text, encoding), chance) for draft, encoding in zip(drafts, encodings))
    return [one for one in found if one and one.known]


def unlocated(sampler: Sampler, tokenizer: Tokenizer, count: int, chance: random.Random) -> list[Example]:
    """All windows of so many long positive texts of which nobody knows where the labels come from."""
    found: list[Example] = []
    rows = [row for row in sampler.long if row.text not in sampler.located]
    for group, row in enumerate(chance.sample(rows, min(count, len(rows)))):
        text = pieces(row.text, tokenizer.encode(row.text))
        for start, end in cut(text.breaks)[:LONGEST_TEXT]:
            found.append(Example(text.ids[start:end], ROLES.index(row.role), row.holds, row.holds | row.absent, row.lang, None, group))
    return found


def write(path: Path, examples: list[Example]) -> None:
    """Writes a shard, whole or not at all."""
    part = path.with_suffix(".part.npz")
    tags = [one.tags or [UNKNOWN] * len(one.ids) for one in examples]
    numpy.savez(
        part,
        ids=numpy.concatenate([numpy.array(one.ids, numpy.uint32) for one in examples]),
        ends=numpy.cumsum([len(one.ids) for one in examples]).astype(numpy.uint32),
        tags=numpy.concatenate([numpy.array(one, numpy.int8) for one in tags]),
        role=numpy.array([one.role for one in examples], numpy.uint8),
        holds=numpy.array([one.holds for one in examples], numpy.uint16),
        known=numpy.array([one.known for one in examples], numpy.uint16),
        lang=numpy.array([one.lang for one in examples], numpy.int8),
        group=numpy.array([one.group for one in examples], numpy.uint32),
    )
    part.replace(path)
