"""Fits what makes probabilities of a model's logits, the early exit, and the thresholds; writes them as JSON.

Half of the development texts, chosen by a hash, and harmless carriers of many lengths with and without their attacks are
fitted on; the other half is measured. A threshold is the score that a budgeted share of harmless texts exceeds in the worst
bucket of lengths.
"""

import argparse
import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy
import torch
from tokenizers import Tokenizer

import document
import forms
import model
import passages
import rows
from evaluate import BUCKETS, HARMLESS, bucket, read
from labels import ATTACKS, LABELS, bits
from measures import auc, calibration_error, threshold
from rows import Row
from scoring import Scored, score

CARRIERS = 600
"""Harmless carriers, and as many with an attack in them."""
SHORTEST, LONGEST = 60, 60_000
"""Characters of a carrier; lengths are spread evenly on a logarithmic scale."""
PLANTED = 400
"""Characters of a planted attack at most."""
LOST = 0.005
"""Share of the windows that show a label best which may leave by the early exit."""
BUDGET = 0.003
"""Share of harmless texts that a guardrail may flag."""
ENOUGH = 300
"""Harmless texts from which a bucket is taken into account by itself."""


@dataclass
class Part:
    """Texts, what is known of them, and what the model said."""

    rows: list[Row]
    scored: list[Scored]

    def bits(self, of: str) -> numpy.ndarray:
        """`holds` or `absent` as (texts, labels)."""
        return numpy.array([[bool(getattr(row, of) >> place & 1) for place in range(len(LABELS))] for row in self.rows])

    def windows(self, exit_below: float) -> list[numpy.ndarray]:
        """The logits of the distinct windows of each text; those that leave early have their early ones."""
        left = lambda one: (one.early.max(1) < exit_below)[:, None]
        return [numpy.where(left(one), one.early, one.late)[one.distinct] for one in self.scored]

    def logits(self, combination: document.Combination, exit_below: float) -> numpy.ndarray:
        return numpy.stack([combination.logits(text, row.role) for text, row in zip(self.windows(exit_below), self.rows)])


def is_fitted(text: str) -> bool:
    """Whether a development text is fitted on. The other half is measured."""
    return hashlib.md5(text.encode()).digest()[0] % 2 == 0


def carrier(chance: random.Random, sentences: list[str]) -> tuple[str, str]:
    """A harmless text of some length, and its role."""
    length = int(SHORTEST * (LONGEST / SHORTEST) ** chance.random())
    parts: list[str] = []
    while sum(map(len, parts)) < length:
        if chance.random() < 0.35:
            parts.append(chance.choice(forms.FORMS)(chance.choices(sentences, k=chance.randint(2, 9)), chance))
        else:
            parts.append(passages.drawn(chance, 900)[0])
    return "\n\n".join(parts)[:length], chance.choice(("user", "document", "tool"))


def carriers(attacks: list[Row], sentences: list[str], count: int, seed: str) -> list[Row]:
    """Harmless carriers, and the same with an attack at any place."""
    chance = random.Random(seed)
    every = (1 << len(LABELS)) - 1
    found = []
    for _ in range(count):
        text, role = carrier(chance, sentences)
        found.append(Row(text, 0, every, -100, role, "carrier"))
        attack, place = chance.choice(attacks), chance.randrange(len(text) + 1)
        found.append(Row(f"{text[:place]}\n{attack.text}\n{text[place:]}", attack.holds, 0, -100, role, "planted"))
    return found


def exit_of(part: Part) -> float:
    """The highest early logit below which a window leaves, so that few windows that show a label best do."""
    holds = part.bits("holds")
    best = [one.early[one.late[:, place].argmax()].max() for one, held in zip(part.scored, holds) for place in numpy.flatnonzero(held)]
    return float(numpy.quantile(best, LOST))


def thresholds(part: Part, logits: numpy.ndarray) -> list[float]:
    """For each label the probability that its budget of harmless texts exceeds in the worst bucket of lengths."""
    absent, lengths = part.bits("absent"), numpy.array([bucket(row.text) for row in part.rows])
    found = []
    for place in range(len(LABELS)):
        buckets = [logits[absent[:, place] & (lengths == name), place] for name in set(lengths)]
        groups = [logits[absent[:, place], place], *(group for group in buckets if len(group) >= ENOUGH)]
        found.append(max(threshold(group, BUDGET) for group in groups))
    return (1 / (1 + numpy.exp(-numpy.array(found)))).tolist()


def measured(part: Part, logits: numpy.ndarray, above: list[float]) -> dict:
    """Recall, false positives and calibration of each label, and of all together in each bucket of lengths."""
    holds, absent = part.bits("holds"), part.bits("absent")
    chances = 1 / (1 + numpy.exp(-logits))
    labels = {}
    for place, name in enumerate(LABELS):
        known = holds[:, place] | absent[:, place]
        flagged = chances[:, place] > above[place]
        labels[name] = {
            "positives": int(holds[:, place].sum()),
            "auc": auc(logits[known, place], holds[known, place]),
            "recall": float(flagged[holds[:, place]].mean()) if holds[:, place].any() else None,
            "flagged": float(flagged[absent[:, place]].mean()),
            "calibration_error": calibration_error(chances[known, place], holds[known, place]),
            "threshold": above[place],
        }
    any_flagged = (absent & (chances > above)).any(1)
    harmless = numpy.array([not row.holds and row.source.startswith((*HARMLESS, "carrier")) for row in part.rows])
    lengths = numpy.array([bucket(row.text) for row in part.rows])
    attacks = numpy.array([bool(row.holds & bits(ATTACKS)) for row in part.rows])
    found = (chances[:, :2] > above[:2]).any(1)
    names = [*(f"<{most}" for most in BUCKETS), f">={BUCKETS[-1]}"]
    share = lambda hits, rows: {"rows": int(rows.sum()), "share": float(hits[rows].mean()) if rows.any() else None}
    return {
        "labels": labels,
        "harmless_flagged": {name: share(any_flagged, harmless & (lengths == name)) for name in names},
        "attacks_found": {name: share(found, attacks & (lengths == name)) for name in names},
        "mean_auc": float(numpy.mean([line["auc"] for line in labels.values() if line["auc"] is not None])),
        "mean_recall": float(numpy.mean([line["recall"] for line in labels.values() if line["recall"] is not None])),
        "surest": float((chances[harmless].max(1) > 0.9).mean()),
    }


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--model", type=Path, required=True)
    known.add_argument("--cache", type=Path, required=True)
    known.add_argument("--dev", type=Path, required=True)
    known.add_argument("--each", type=int, default=400, help="rows of a suite; 0 for all")
    known.add_argument("--carriers", type=int, default=CARRIERS)
    known.add_argument("--out", type=Path, required=True, help="calibration and report, as JSON")
    known.add_argument("--threads", type=int, default=2)
    given = known.parse_args()
    torch.set_num_threads(given.threads)
    encoder, _ = model.loaded(given.model)
    tokenizer = Tokenizer.from_file(str(given.cache / "tokenizer.json"))
    suites = [row for path in rows.files(given.dev) for row in read(path, given.each) if row.spans is None]
    sentences = [row.text for row in suites if row.source.startswith(HARMLESS) and 15 < len(row.text) < 180]

    def part(fitted: bool) -> Part:
        own = [row for row in suites if is_fitted(row.text) == fitted]
        attacks = [row for row in own if row.holds and len(row.text) <= PLANTED]
        own += carriers(attacks, [text for text in sentences if is_fitted(text) == fitted], given.carriers, f"carriers/{fitted}")
        return Part(own, score(encoder, tokenizer, [row.text for row in own], [row.role for row in own]))

    fit, check = part(True), part(False)
    exit_below = exit_of(fit)
    holds, absent = fit.bits("holds"), fit.bits("absent")
    combination = document.fitted(fit.windows(exit_below), [row.role for row in fit.rows], holds, holds | absent)
    logits = fit.logits(combination, exit_below)
    above = thresholds(fit, logits)
    early = numpy.concatenate([one.early.max(1) for one, row in zip(check.scored, check.rows) if row.source == "carrier"])
    report = {
        "combination": combination.described(),
        "exit_below": exit_below,
        "leaving_early": float((early < exit_below).mean()),
        "thresholds": dict(zip(LABELS, above)),
        "fitted": measured(fit, logits, above),
        "checked": measured(check, check.logits(combination, exit_below), above),
    }
    given.out.write_text(json.dumps(report, indent=1))
    print(json.dumps({name: report["checked"][name] for name in ("mean_auc", "mean_recall", "harmless_flagged", "attacks_found")}, indent=1))


if __name__ == "__main__":
    main()
