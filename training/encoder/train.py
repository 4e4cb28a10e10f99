"""Fine-tunes the encoder on windows of labelled texts (`guardengine-training windows`)."""

import argparse
import json
import math
import random
import re
import time
import unicodedata
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional

from export import LONGEST
from model import LABELS, Encoder, pretrained
from plants import asked, planted
from restore import known

BATCH = 64
# Batches that are drawn together and sorted by length, so that little is padded.
SORTED = 50
# Share of the English rows that are learnt as a gloss too; of its words, those that are missing, those out of place,
# and those that no dictionary gives and that are there all the same.
GLOSSED = 0.35
MISSING = 0.05
SWAPPED = 0.1
KEPT = 0.4
ARTICLES = {"a", "an", "the"}
# Rows that are made of a harmless stretch and a request set into it, in what the model is given.
ASKED = 30_000
# Weight of the early exit relative to the last layer.
EARLY_SHARE = 0.3
# Marks untrusted content, as in `crates/classifiers/src/wordpiece.rs`.
GIVEN = "[unused0]"
ENDINGS = ["", "s", "es", "d", "ed", "ing", "ly"]


def read(path: Path) -> tuple[list[dict], list[dict]]:
    """The rows to learn from, and those held out."""
    seen, held_out = [], []
    with path.open() as lines:
        for row in map(json.loads, lines):
            (held_out if row["held_out"] else seen).append(row)
    return seen, held_out


def favour(rows: list[dict], often: str) -> None:
    """Has the sources named in `often` drawn so many times as often."""
    times = {source: float(count) for source, _, count in (one.partition("=") for one in often.split(",") if one)}
    for row in rows:
        row["share"] *= times.get(row["source"], 1.0)


def glossary(folder: Path) -> set[str]:
    """The English words that the dictionaries give."""
    lines = (line for file in sorted(folder.glob("*.tsv")) for line in file.read_text().splitlines())
    return {word for line in lines for word in line.split("\t")[1].split()}


def base(word: str, known: set[str]) -> str | None:
    bases = (word[: len(word) - len(end)] for end in ENDINGS if word.endswith(end))
    return next((base for base in bases if base in known), None)


def as_gloss(text: str, known: set[str], chance: random.Random) -> str:
    """English as a gloss has it: base forms, no articles, gaps, an order that is not quite its own."""
    words = []
    for word in re.findall(r"[a-z]+(?:'[a-z]+)?|[^\sa-z]+", text.lower()):
        told = base(word, known) if word.isalpha() else word
        if word not in ARTICLES and chance.random() > MISSING and (told or chance.random() < KEPT):
            words.append(told or word)
    for place in range(len(words) - 1):
        if chance.random() < SWAPPED:
            words[place], words[place + 1] = words[place + 1], words[place]
    return " ".join(words)


def glossed(rows: list[dict], known: set[str], chance: random.Random) -> list[dict]:
    """Some of the English rows once more, so that what is said in glosses is learnt from what English says."""
    some = [row for row in rows if row["lang"] == "en" and chance.random() < GLOSSED]
    return [row | {"text": as_gloss(row["text"], known, chance)} for row in some]


def tokenizer_of(base: Path) -> Tokenizer:
    """What cuts texts as the service does."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def without_pictures(text: str, vocabulary: dict[str, int]) -> str:
    """Pictures and other signs that no piece stands for are blanks, as where the service cuts texts."""
    if text.isascii():
        return text
    unknown = lambda sign: (category := unicodedata.category(sign)) == "Me" or category[0] == "S" and sign not in vocabulary
    return "".join(" " if unknown(sign) else sign for sign in text)


def encoded(rows: list[dict], tokenizer: Tokenizer) -> None:
    vocabulary = tokenizer.get_vocab()
    for start in range(0, len(rows), 10_000):
        some = rows[start : start + 10_000]
        texts = [without_pictures(row["text"], vocabulary) for row in some]
        for row, text in zip(some, tokenizer.encode_batch(texts)):
            row["ids"] = marked(text.ids, vocabulary[GIVEN]) if row["given"] else text.ids


def marked(ids: list[int], mark: int) -> list[int]:
    """With the mark behind what begins a text, and no longer than before where that was as long as can be."""
    begin, *inner, end = ids
    return [begin, mark, *inner[: LONGEST - 3], end]


def drawn(rows: list[dict], count: int, chance: random.Random):
    """Batches of `count` rows in all, each row as often as its share says."""
    pool: list[dict] = []
    while count > 0:
        pile = []
        while len(pile) < BATCH * SORTED and len(pile) < count:
            if not pool:
                pool = [row for row in rows for _ in range(math.floor(row["share"] + chance.random()))]
                chance.shuffle(pool)
            pile.append(pool.pop())
        count -= len(pile)
        pile.sort(key=lambda row: len(row["ids"]))
        batches = [pile[start : start + BATCH] for start in range(0, len(pile), BATCH)]
        chance.shuffle(batches)
        yield from batches


def tensors(rows: list[dict], device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    length = max(len(row["ids"]) for row in rows)
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    mask = torch.zeros(len(rows), length)
    for place, row in enumerate(rows):
        ids[place, : len(row["ids"])] = torch.tensor(row["ids"])
        mask[place, : len(row["ids"])] = 1.0
    return ids.to(device), mask.to(device)


def rarity(rows: list[dict]) -> torch.Tensor:
    """Positives of a rare label count for more, as in the linear model."""
    total = sum(row["share"] for row in rows)
    factors = []
    for label in range(len(LABELS)):
        positive = sum(row["share"] for row in rows if row["holds"][label])
        factors.append(min(max(math.sqrt(total / 20 / max(positive, 1.0)), 1.0), 4.0))
    return torch.tensor(factors)


def loss(logits: torch.Tensor, rows: list[dict], rare: torch.Tensor) -> torch.Tensor:
    holds = torch.tensor([row["holds"] for row in rows], dtype=torch.float32, device=logits.device)
    weights = torch.tensor([row["weights"] for row in rows], device=logits.device) * (1.0 + holds * (rare - 1.0))
    each = functional.binary_cross_entropy_with_logits(logits, holds, reduction="none")
    return (each * weights).sum() / len(rows)


def parts(encoder: Encoder, rate: float) -> list[dict]:
    """The heads start from nothing and learn faster."""
    head = [*encoder.head.parameters(), *encoder.early.parameters()]
    words = [encoder.words.weight, encoder.places.weight]
    known = {id(one) for one in head + words}
    body = [one for one in encoder.parameters() if id(one) not in known]
    return [
        {"params": body, "lr": rate, "weight_decay": 0.01},
        {"params": words, "lr": rate, "weight_decay": 0.0},
        {"params": head, "lr": rate * 5, "weight_decay": 0.01},
    ]


def auc(scores: torch.Tensor, holds: torch.Tensor) -> float:
    ranks = torch.empty(len(scores))
    ranks[scores.argsort()] = torch.arange(1, len(scores) + 1, dtype=torch.float32)
    positive, negative = int(holds.sum()), int((~holds).sum())
    if not positive or not negative:
        return float("nan")
    return float((ranks[holds].double().sum() - positive * (positive + 1) / 2) / positive / negative)


def held_out_areas(encoder: Encoder, rows: list[dict], device: torch.device) -> dict[str, float]:
    encoder.eval()
    logits = torch.zeros(len(rows), len(LABELS))
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]["ids"]))
    with torch.no_grad():
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            logits[places] = encoder(*tensors([rows[place] for place in places], device))[1].cpu()
    encoder.train()
    holds = torch.tensor([row["holds"] for row in rows], dtype=torch.bool)
    known = torch.tensor([row["weights"] for row in rows]) >= 0.5
    of = lambda label: auc(logits[known[:, label], label], holds[known[:, label], label])
    return {name: round(of(label), 4) for label, name in enumerate(LABELS)}


def show(encoder: Encoder, held_out: list[dict], device: torch.device) -> None:
    """Prints the AUC on the held-out rows, if there are any."""
    if held_out:
        print(json.dumps(held_out_areas(encoder, held_out, device)), flush=True)


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--windows", type=Path, required=True, help="what `guardengine-training windows` wrote")
    said.add_argument("--base", type=Path, required=True, help="the folder of all-MiniLM-L6-v2")
    said.add_argument("--glossary", type=Path, required=True, help="the folder of dictionaries")
    said.add_argument("--out", type=Path, required=True, help="the file of weights that is written")
    said.add_argument("--layers", default="0,1,3,5", help="the pretrained layers that are kept")
    said.add_argument("--start", type=Path, help="weights of an earlier run to go on from, or the file that is shipped")
    said.add_argument("--everything", action="store_true", help="learn from what is held out, too")
    said.add_argument("--often", default="", metavar="SOURCE=N,...", help="sources whose texts are drawn N times as often")
    said.add_argument("--planted", type=int, default=40_000, help="rows made of a harmless stretch and any line set into it")
    said.add_argument("--around", type=int, default=420, help="characters of such a stretch at most")
    said.add_argument("--given", type=float, default=0.0, help="share of them that a model is given to read")
    said.add_argument("--examples", type=int, default=420_000, help="rows that are drawn")
    said.add_argument("--rate", type=float, default=2e-4, help="the greatest step")
    said.add_argument("--seed", type=int, default=7)
    said.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="where it is computed")
    how = said.parse_args()

    device = torch.device(how.device)
    torch.manual_seed(how.seed)
    chance = random.Random(how.seed)
    tokenizer = tokenizer_of(how.base)
    rows, held_out = read(how.windows)
    if how.everything:
        rows, held_out = rows + held_out, []
    favour(rows, how.often)
    rows += planted(rows, how.planted, how.around, how.given, chance) + asked(rows, ASKED, how.around, chance)
    rows += glossed(rows, glossary(how.glossary), chance)
    encoded(rows, tokenizer)
    held_out = chance.sample(held_out, min(len(held_out), 6_000))
    encoded(held_out, tokenizer)
    print(f"{len(rows)} rows, {len(held_out)} of those held out, on {device}", flush=True)

    encoder = pretrained(how.base, [int(number) for number in how.layers.split(",")])
    if how.start:
        encoder = known(how.start)
    encoder = encoder.to(device).train()
    rare = rarity(rows).to(device)
    steps = math.ceil(how.examples / BATCH)
    pace = lambda step: min((step + 1) / (0.06 * steps), max(1.0 - step / steps, 0.0) / 0.94)
    optimizer = torch.optim.AdamW(parts(encoder, how.rate), betas=(0.9, 0.98), fused=True)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, pace)
    began, recent = time.monotonic(), []
    for step, batch in enumerate(drawn(rows, how.examples, chance), 1):
        ids, mask = tensors(batch, device)
        early, last = encoder(ids, mask)
        error = loss(last, batch, rare) + EARLY_SHARE * loss(early, batch, rare)
        optimizer.zero_grad(set_to_none=True)
        error.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        recent.append(error.item())
        if step % 100 == 0:
            left = (time.monotonic() - began) / step * (steps - step)
            print(f"{step}/{steps} loss {sum(recent) / len(recent):.4f}, {left / 60:.0f} min left", flush=True)
            recent.clear()
        if step % 1000 == 0:
            torch.save(encoder.state_dict(), how.out.with_suffix(".part"))
            show(encoder, held_out, device)
    torch.save(encoder.state_dict(), how.out)
    show(encoder, held_out, device)


if __name__ == "__main__":
    main()
