"""Fits what makes scores of the readings of windows, and the early exit; writes them as JSON.

    calibrate.py texts --dev DIR --out TEXTS
    cargo run --release -p guardengine-training -- readings --weights EXPORTED --texts TEXTS --out READINGS
    cargo run --release -p guardengine-training -- thresholds > THRESHOLDS
    calibrate.py fit --texts TEXTS --readings READINGS --thresholds THRESHOLDS --out REPORT --combination C

Half of the development texts, chosen by a hash, and harmless carriers of many lengths with and without their attacks are
fitted on; the other half is measured. The scores that keep the budgets of harmless texts (budgets.py) are moved to the
thresholds that the service has. The readings are those of the service's own engine, rounding of weights included.
"""

import argparse
import hashlib
import json
import random
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy

import budgets
import combination
import forms
import passages
import rows
from combination import Windows
from evaluate import BUCKETS, HARMLESS, bucket, read
from labels import ATTACKS, LABELS, LANGUAGES, UNKNOWN, bits
from measures import auc, calibration_error, threshold
from rows import Row

CARRIERS = 600
"""Harmless carriers, and as many with an attack in them."""
SHORTEST, LONGEST = 60, 60_000
"""Characters of a carrier; lengths are spread evenly on a logarithmic scale."""
PASSAGE = 3_000
"""Characters of a passage at most."""
DRAWS = 40
"""Passages that are drawn until one is in the language."""
PLANTED = 400
"""Characters of a planted attack at most."""
LOST = 0.01
"""Share of the texts that are flagged when every window is read whole whose deciding window may leave by the early exit."""
UNDECLARED = 0.5
"""Threshold of a guardrail that the service does not have yet."""
POSITIVES = 8
"""Texts with a guardrail from which a suite counts for it."""


@dataclass
class Part:
    """Texts, and the readings of their windows."""

    rows: list[Row]
    windows: list[Windows]

    def bits(self, of: str) -> numpy.ndarray:
        """`holds` or `absent` as (texts, labels)."""
        return numpy.array([[bool(getattr(row, of) >> place & 1) for place in range(len(LABELS))] for row in self.rows])

    def logits(self, combined: combination.Combination) -> numpy.ndarray:
        return numpy.stack([combined.text(text) for text in self.windows])


def is_fitted(text: str) -> bool:
    """Whether a development text is fitted on. The other half is measured."""
    return hashlib.md5(text.encode()).digest()[0] % 2 == 0


def split(text: str) -> list[str]:
    """The sentences of prose. A prompt has none to give: in a document it would be an order to the model."""
    return [sentence for sentence in re.split(r"(?<=[.!?。！？।؟])\s*", text) if 15 < len(sentence) < 180]


def passage(chance: random.Random, tongue: int) -> str | None:
    """A passage in a language, if one is found soon. Files that name no language are mostly English."""
    for _ in range(DRAWS):
        text, lang = passages.drawn(chance, PASSAGE)
        if lang == tongue or (lang == UNKNOWN and LANGUAGES[tongue] == "en"):
            return text
    return None


def carrier(chance: random.Random, sentences: dict[int, list[str]]) -> tuple[str, str]:
    """A harmless text of some length in one language, and its role."""
    length = int(SHORTEST * (LONGEST / SHORTEST) ** chance.random())
    tongue = chance.choice(sorted(sentences))
    parts: list[str] = []
    while sum(map(len, parts)) < length:
        found = passage(chance, tongue) if chance.random() < 0.65 else None
        said = chance.choices(sentences[tongue], k=chance.randint(2, 9))
        parts.append(found or chance.choice(forms.FORMS)(said, chance))
    return "\n\n".join(parts)[:length], chance.choice(("user", "document", "tool"))


def carriers(attacks: list[Row], sentences: dict[int, list[str]], count: int, seed: str) -> list[Row]:
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


def exit_of(part: Part, combined: combination.Combination, above: list[float]) -> float:
    """The highest logit below which a window leaves, so that few texts are lost by it that are flagged when all is read."""
    holds = part.bits("holds")
    bars = numpy.log(numpy.array(above)) - numpy.log1p(-numpy.array(above))
    needed = []
    for windows, held in zip(part.windows, holds):
        late = combined.late_logits(windows)
        early = combined.early_logits(windows)[:, combined.reads_on()]
        for place in numpy.flatnonzero(held & combined.reads_on() & (late > bars).any(0)):
            found = late[:, place] > bars[place]
            # The text is still found while one of these windows is read on.
            needed.append(early[found].max())
    return float(numpy.quantile(needed, LOST))


def harmless(part: Part) -> numpy.ndarray:
    """Which texts are harmless."""
    return numpy.array([not row.holds and row.source.startswith((*HARMLESS, "carrier")) for row in part.rows])


def allowed(part: Part, logits: numpy.ndarray) -> dict[str, float]:
    """For each label the score at which its threshold should stand."""
    holds, plain, chances = part.bits("holds"), harmless(part), 1 / (1 + numpy.exp(-logits))
    sources = numpy.array([row.source for row in part.rows])
    groups = budgets.groups(numpy.array([bucket(row.text) for row in part.rows])[plain])
    found = {}
    for place, name in enumerate(LABELS):
        suites = [chances[(sources == source) & holds[:, place], place] for source in sorted(set(sources))]
        suites = [scores for scores in suites if len(scores) >= POSITIVES]
        if suites:
            found[name] = budgets.of(name, chances[plain, place], suites).level(groups)
    return found


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
    plain = harmless(part)
    lengths = numpy.array([bucket(row.text) for row in part.rows])
    attacks = numpy.array([bool(row.holds & bits(ATTACKS)) for row in part.rows])
    found = (chances[:, :2] > above[:2]).any(1)
    names = [*(f"<{most}" for most in BUCKETS), f">={BUCKETS[-1]}"]
    share = lambda hits, rows: {"rows": int(rows.sum()), "share": float(hits[rows].mean()) if rows.any() else None}
    return {
        "labels": labels,
        "harmless_flagged": {name: share(any_flagged, plain & (lengths == name)) for name in names},
        "attacks_found": {name: share(found, attacks & (lengths == name)) for name in names},
        "mean_auc": float(numpy.mean([line["auc"] for line in labels.values() if line["auc"] is not None])),
        "mean_recall": float(numpy.mean([line["recall"] for line in labels.values() if line["recall"] is not None])),
        "surest": float((chances[plain].max(1) > 0.9).mean()),
    }


def compared(part: Part, combined: combination.Combination) -> dict:
    """What each input finds by itself, and the combination: area under the curve, and recall at the score that one harmless
    text of the suites in a hundred exceeds; means over all pairs of a suite and a guardrail with `POSITIVES` or more."""
    holds, absent = part.bits("holds"), part.bits("absent")
    suites = numpy.array([row.source for row in part.rows])
    plain = numpy.array([not row.holds and row.source.startswith(HARMLESS) for row in part.rows])
    readers = {"late": lambda text: text.late, "early": lambda text: text.early, "beside": lambda text: text.beside, "combined": combined.logits}
    found = {}
    for name, reader in readers.items():
        scores = numpy.stack([reader(text).max(0, initial=combination.NEVER) for text in part.windows])
        pairs = []
        for place in range(len(LABELS)):
            others = scores[plain & absent[:, place], place]
            for suite in sorted(set(suites) - {"carrier", "planted"}):
                own = scores[(suites == suite) & holds[:, place], place]
                if len(own) >= POSITIVES and len(others):
                    both = numpy.concatenate([own, others])
                    pairs.append((auc(both, numpy.arange(len(both)) < len(own)), (own > threshold(others, 0.01)).mean()))
        found[name] = dict(zip(("auc", "recall"), numpy.mean(pairs, 0).tolist())) | {"pairs": len(pairs)}
    return found


def texts_of(given: argparse.Namespace) -> None:
    """Writes the texts to read."""
    each = lambda path: 0 if path.name.startswith(HARMLESS) else given.each
    suites = [row for path in rows.files(given.dev) for row in read(path, each(path)) if row.spans is None]
    with given.out.open("w") as out:
        for fitted in (True, False):
            own = [row for row in suites if is_fitted(row.text) == fitted]
            attacks = [row for row in own if row.holds and len(row.text) <= PLANTED]
            sentences: dict[int, list[str]] = defaultdict(list)
            for row in own:
                if row.source.startswith(HARMLESS) and row.role == "document":
                    sentences[row.lang].extend(split(row.text))
            own += carriers(attacks, sentences, given.carriers, f"carriers/{fitted}")
            for row in own:
                line = {"text": row.text, "role": row.role, "holds": row.holds, "absent": row.absent, "source": row.source, "fitted": fitted}
                out.write(json.dumps(line) + "\n")


def parts(texts: Path, readings: Path) -> tuple[Part, Part]:
    """What is fitted on, and what is measured."""
    found = Part([], []), Part([], [])
    with texts.open() as some, readings.open() as others:
        for text, reading in zip(some, others, strict=True):
            line, windows = json.loads(text), json.loads(reading)
            part = found[0 if line["fitted"] else 1]
            part.rows.append(Row(line["text"], line["holds"], line["absent"], -100, line["role"], line["source"]))
            of = lambda name: numpy.array([window[name] for window in windows], numpy.float32).reshape(-1, len(LABELS))
            part.windows.append(Windows(of("late"), of("early"), of("beside")))
    return found


def fit(given: argparse.Namespace) -> None:
    """Fits and measures."""
    fit, check = parts(given.texts, given.readings)
    holds, absent = fit.bits("holds"), fit.bits("absent")
    suites = numpy.array([row.source for row in fit.rows])
    combined = combination.fitted(fit.windows, holds, holds | absent, suites)
    declared = json.loads(given.thresholds.read_text())
    above = [declared.get(name, UNDECLARED) for name in LABELS]
    allowing = allowed(fit, fit.logits(combined))
    combined = budgets.shifted(combined, allowing, declared)
    combined.exit_below = exit_of(fit, combined, above)
    logits = fit.logits(combined)
    early = numpy.concatenate([combined.early_logits(windows)[:, combined.reads_on()].max(1) for windows, row in zip(check.windows, check.rows) if row.source == "carrier"])
    report = {
        "leaving_early": float((early < combined.exit_below).mean()),
        "moved": allowing,
        "compared": compared(check, combined),
        "fitted": measured(fit, logits, above),
        "checked": measured(check, check.logits(combined), above),
    }
    given.out.write_text(json.dumps(report, indent=1))
    combined.write(given.combination)
    print(json.dumps({name: report["checked"][name] for name in ("mean_auc", "mean_recall", "harmless_flagged", "attacks_found")} | {"leaving_early": report["leaving_early"], "compared": report["compared"]}, indent=1))


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    steps = known.add_subparsers(required=True)
    texts = steps.add_parser("texts", help="write the texts that the engine reads")
    texts.add_argument("--dev", type=Path, required=True)
    texts.add_argument("--each", type=int, default=400, help="rows of a suite with attacks; 0 for all")
    texts.add_argument("--carriers", type=int, default=CARRIERS)
    texts.set_defaults(run=texts_of)
    fits = steps.add_parser("fit", help="fit on what the engine read, and measure")
    fits.add_argument("--texts", type=Path, required=True)
    fits.add_argument("--readings", type=Path, required=True)
    fits.add_argument("--thresholds", type=Path, required=True, help="the service's default thresholds")
    fits.add_argument("--combination", type=Path, required=True, help="the file for the service that is written")
    fits.set_defaults(run=fit)
    for step in (texts, fits):
        step.add_argument("--out", type=Path, required=True)
    given = known.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
