"""Trains the language identifier of the engine: a linear model over hashed n-grams of letters.

    train.py --data DIR ... --out models/language.bin

Texts come from the translated messages of the programs installed on the machine (`/usr/share/locale`), from
`training/corpora`, and from labelled texts that name their language. Scripts that one language alone is written in are
recognized by the engine without a model, and left out. `crates/engine/src/text/language/identifier.rs` has the features and the file.
"""

import argparse
import gettext
import gzip
import json
import random
import re
import struct
from collections import defaultdict
from pathlib import Path

import numpy
import torch

LANGUAGES = (
    "af az be bg bs ca cs cy da de en eo es et eu fi fr ga gl hr hu id is it kk lt lv mk nl no pl pt ro ru sk sl sq sr sv sw tl tr uk uz vi "
    "ar fa ur hi mr ne"
).split()
ALIASES = {"sp": "es", "nb": "no", "nn": "no", "in": "id", "fil": "tl"}
RARE = set("af az be bs cy eo eu ga gl is kk mk mr ne sq sw tl uz".split())
"""Languages that few prompts are in. They are drawn less often, which makes them less likely where words do not tell."""
RARER = 0.15
BUCKETS, LONGEST = 1 << 14, 4
SEED, EXAMPLES, BATCH, RATE = 7, 1_500_000, 512, 0.2
LEAST, MOST = 3, 24
"""Words of an example."""
TEXTS = 60_000
"""Texts of a language at most."""
APART = "".join(chr(code) for code in range(0x80) if not chr(code).isalpha() and chr(code) != "'") + "\u00d7\u00f7\u060c\u061b\u061f\u06d4\u0964\u0965"
APART_RANGES = ((0x80, 0xBF), (0x2000, 0x2BFF), (0x3000, 0x303F))
"""Characters between words, beside numbers and blanks."""
MARKS = re.compile(r"%[-+ #0-9.*]*[a-zA-Z]|\{[^}]*\}|<[^>]*>|&\w+;|\\[a-z]|https?://\S+|\$\w+")


def grams(words: list[str]) -> list[int]:
    """The buckets of the n-grams of letters of words, marked at both ends, and of the words themselves."""
    found = []
    for word in words:
        marked = f"^{word}$"
        pieces = [marked[start : start + size] for size in range(1, LONGEST + 1) for start in range(len(marked) - size + 1)]
        found += [bucket(piece) for piece in [*pieces, marked] if piece not in ("^", "$")]
    return found


def bucket(piece: str) -> int:
    """FNV-1a in 32 bits, folded."""
    value = 0x811C9DC5
    for byte in piece.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return (value ^ value >> 15) % BUCKETS


def is_apart(letter: str) -> bool:
    """Whether a character stands between words."""
    return letter in APART or letter.isspace() or letter.isnumeric() or any(first <= ord(letter) <= last for first, last in APART_RANGES)


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    spaced = "".join(" " if is_apart(letter) else letter for letter in text.replace("’", "'"))
    return [word for word in (word.strip("'").lower() for word in spaced.split()) if word]


def of_message(text: str) -> list[str]:
    """The words of a message without its placeholders and the marks of shortcuts."""
    return words(MARKS.sub(" ", text).replace("_", "").replace("&", ""))


def messages(path: Path) -> list[str]:
    """The translated messages of a catalogue."""
    try:
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # there is no public way to list them
    except (OSError, ValueError, IndexError, struct.error):
        return []
    pairs = [(key[0] if isinstance(key, tuple) else key, value) for key, value in catalogue.items() if isinstance(value, str)]
    # Very long ones are mostly credits and licences.
    return [value for key, value in pairs if key and value != key and len(value) < 2_000]


def installed() -> dict[str, list[str]]:
    """Messages of the machine's programs by language."""
    found = defaultdict(list)
    for folder in sorted(Path("/usr/share/locale").iterdir()):
        code = folder.name.split("_")[0]
        code = ALIASES.get(code, code)
        if "@" in folder.name or code not in LANGUAGES:
            continue
        for path in sorted(folder.glob("LC_MESSAGES/*.mo")):
            found[code] += messages(path)
    return found


def labelled(folders: list[Path]) -> dict[str, list[str]]:
    """Texts that name their language."""
    found = defaultdict(list)
    for path in sorted(path for folder in folders for pattern in ("*.jsonl", "*.jsonl.gz") for path in folder.glob(pattern)):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as lines:
            for line in lines:
                row = json.loads(line)
                code = ALIASES.get(row.get("lang"), row.get("lang"))
                if code in LANGUAGES:
                    found[code].append(row["text"])
    return found


def english() -> list[str]:
    """Originals of the messages, which are English."""
    found = []
    for path in sorted(Path("/usr/share/locale/de/LC_MESSAGES").glob("*.mo")):
        try:
            with path.open("rb") as file:
                found += [key for key in gettext.GNUTranslations(file)._catalog if isinstance(key, str) and 0 < len(key) < 2_000]
        except (OSError, ValueError, IndexError, struct.error):
            continue
    return found


def collected(folders: list[Path]) -> list[list[list[str]]]:
    """The texts of each language, as words."""
    chance = random.Random(SEED)
    everything = [installed(), labelled(folders), {"en": english()}]
    found = []
    for code in LANGUAGES:
        own = []
        for some in everything:
            texts = some.get(code, [])
            own += chance.sample(texts, min(len(texts), TEXTS // 2))
        cut = [some for some in (of_message(text) for text in own) if len(some) >= 2]
        print(f"{code}: {len(cut)} texts, {sum(map(len, cut))} words")
        found.append(cut)
    return found


def example(chance: random.Random, texts: list[list[str]]) -> list[int]:
    """Words of one text, or of several short ones."""
    count = int(LEAST * (MOST / LEAST) ** chance.random())
    some: list[str] = []
    while len(some) < count:
        text = chance.choice(texts)
        start = chance.randrange(max(1, len(text) - count + 1))
        some += text[start : start + count - len(some)]
    return grams(some)


def trained(texts: list[list[list[str]]], examples: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Weights (buckets, languages) and biases."""
    chance = random.Random(SEED)
    torch.manual_seed(SEED)
    table = torch.nn.EmbeddingBag(BUCKETS, len(LANGUAGES), mode="mean")
    torch.nn.init.zeros_(table.weight)
    bias = torch.nn.Parameter(torch.zeros(len(LANGUAGES)))
    scale = 20.0
    optimiser = torch.optim.Adagrad([table.weight, bias], lr=RATE)
    places = [place for place, own in enumerate(texts) if own]
    shares = [RARER if LANGUAGES[place] in RARE else 1.0 for place in places]
    right = 0.0
    for step in range(examples // BATCH):
        truth = chance.choices(places, shares, k=BATCH)
        rows = [example(chance, texts[place]) for place in truth]
        offsets = numpy.cumsum([0, *map(len, rows[:-1])])
        said = scale * table(torch.tensor([gram for row in rows for gram in row]), torch.tensor(offsets)) + bias
        target = torch.tensor(truth)
        loss = torch.nn.functional.cross_entropy(said, target)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        right = 0.99 * right + 0.01 * float((said.argmax(1) == target).float().mean())
        if step % 200 == 0:
            print(f"{step * BATCH} examples, loss {float(loss):.3f}, right {right:.3f}", flush=True)
    return scale * table.weight.detach().numpy(), bias.detach().numpy()


def write(path: Path, weights: numpy.ndarray, bias: numpy.ndarray) -> None:
    """Writes the file of the engine."""
    scales = numpy.abs(weights).max(0).clip(1e-6) / 127
    whole = numpy.round(weights / scales).astype(numpy.int8)
    names = " ".join(LANGUAGES).encode()
    head = b"GRDLNG01" + struct.pack("<III", len(names), len(LANGUAGES), BUCKETS)
    path.write_bytes(head + names + scales.astype("<f4").tobytes() + bias.astype("<f4").tobytes() + whole.tobytes())


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--data", type=Path, nargs="*", default=[], help="folders of labelled texts beside training/corpora")
    known.add_argument("--examples", type=int, default=EXAMPLES)
    known.add_argument("--out", type=Path, required=True)
    given = known.parse_args()
    corpora = Path(__file__).parent.parent / "corpora"
    write(given.out, *trained(collected([corpora, *given.data]), given.examples))


if __name__ == "__main__":
    main()
