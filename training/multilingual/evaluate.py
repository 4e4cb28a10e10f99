"""Measures a model on the development suites, and writes a report in JSON and Markdown.

Thresholds are those that one harmless text in a hundred exceeds, over the harmless suites together. The score of a text
is the highest late logit of any window: the encoder by itself, with nothing beside it.
"""

import argparse
import json
import random
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy
import torch
from tokenizers import Tokenizer

import model
import rows
from labels import ATTACKS, ENTITIES, LABELS, LANGUAGES, TAGS, UNKNOWN, bits
from measures import auc, f_beta, recall, threshold
from rows import Row
from scoring import Scored, score

HARMLESS = ("benign_", "inj_sysprompt_pass")
"""Suites of harmless texts begin so."""
ILLICIT = bits(("illicit",))
CRIMES = {
    "mod_ailuminate": ("iwp;", "ncr;", "vcr;"),
    "mod_multijail": (
        "Theft", "Substance abuse", "Weapons", "Terrorism", "Property crime", "Fraud", "exploitation & human trafficking"),
}
"""Kinds of harm, as notes of these suites name them, that ask for help with a crime or a dangerous act."""
RATE = 0.01
"""False positives of each guardrail on harmless texts."""
BUCKETS = (150, 500, 1_500, 4_000)
"""Characters that part texts into lengths."""
DILUTIONS = (0, 150, 700, 2_100)
"""Harmless characters before or after an attack."""
DILUTED = 120
"""Attacks that are diluted."""
SHORT = 400
"""Characters of such an attack at most."""
RENAMED = {"STREET_ADDRESS": "ADDRESS", "GPE": "LOCATION"}
ATTACK_PLACES = [LABELS.index(name) for name in ATTACKS[:2]]


@dataclass
class Suite:
    """Texts of a suite and what the model said about them."""

    name: str
    rows: list[Row]
    scored: list[Scored]
    logits: numpy.ndarray


def bucket(text: str) -> str:
    """The name of a length."""
    return next((f"<{most}" for most in BUCKETS if len(text) < most), f">={BUCKETS[-1]}")


def read(path: Path, each: int) -> list[Row]:
    """Rows of a suite, evenly spread."""
    found = list(rows.lines(path))
    return [suite_row(raw, path.name.split(".")[0]) for raw in (found[:: max(1, len(found) // each)][:each] if each else found)]


def suite_row(raw: dict, suite: str) -> Row:
    """A row of a suite."""
    row = rows.row_of(raw, suite)
    if "spans" not in raw:
        # These suites were labelled before `illicit` existed; two of them name the kind of harm.
        is_illicit = any(kind in (raw.get("note") or "") for kind in CRIMES.get(suite, ()))
        absent = row.absent | ILLICIT if suite.startswith(HARMLESS) and not row.holds else row.absent
        return replace(row, holds=row.holds | ILLICIT if is_illicit else row.holds, absent=absent)
    named = [(span, RENAMED.get(span.get("kind", span.get("label")), span.get("kind", span.get("label")))) for span in raw["spans"]]
    return Row(row.text, 0, 0, row.lang, row.role, suite, tuple((span["start"], span["end"], name) for span, name in named))


class Evaluation:
    """A model, the texts it read, and the metrics."""

    def __init__(self, encoder: model.Encoder, tokenizer: Tokenizer) -> None:
        self.encoder, self.tokenizer = encoder, tokenizer

    def scored(self, texts: list[str], roles: list[str]) -> tuple[list[Scored], numpy.ndarray]:
        found = score(self.encoder, self.tokenizer, texts, roles)
        return found, numpy.stack([one.late.max(0) for one in found])

    def suite(self, name: str, some: list[Row]) -> Suite:
        found, logits = self.scored([row.text for row in some], [row.role for row in some])
        return Suite(name, some, found, logits)


def column(suites: list[Suite], place: int, of: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The logits of a label over suites, and whether it holds, of the rows on which that is known. `of` picks rows by bit set."""
    logits, holds = [], []
    for suite in suites:
        for row, line in zip(suite.rows, suite.logits):
            if (row.holds | row.absent) & of:
                logits.append(line[place])
                holds.append(bool(row.holds & of))
    return numpy.array(logits), numpy.array(holds, bool)


def thresholds(harmless: list[Suite]) -> numpy.ndarray:
    """The logit of each label that one harmless text in a hundred exceeds."""
    found = []
    for place in range(len(LABELS)):
        logits, _ = column(harmless, place, 1 << place)
        found.append(threshold(logits, RATE) if len(logits) else numpy.inf)
    return numpy.array(found)


def by_suite(suites: list[Suite], harmless: list[Suite], above: numpy.ndarray) -> list[dict]:
    """For each suite and label: area against the harmless texts, and recall."""
    found = []
    for suite in suites:
        for place, name in enumerate(LABELS):
            logits, holds = column([suite], place, 1 << place)
            if not holds.any():
                continue
            others, _ = column(harmless, place, 1 << place)
            own = logits[~holds]
            both = numpy.concatenate([logits[holds], own, others])
            truth = numpy.arange(len(both)) < holds.sum()
            line = {"suite": suite.name, "label": name, "rows": int(holds.sum()), "auc": auc(both, truth)}
            line["auc_within"] = auc(logits, holds)
            line["recall"] = recall(logits[holds], above[place])
            is_attack = place in ATTACK_PLACES
            either = [row for row, scores in zip(suite.rows, suite.logits) if row.holds >> place & 1 and (scores[ATTACK_PLACES] > above[ATTACK_PLACES]).any()]
            line["recall_either"] = len(either) / int(holds.sum()) if is_attack else None
            found.append(line)
    return found


def flagged_by(suites: list[Suite], above: numpy.ndarray, key) -> dict[str, dict]:
    """The share of rows with any label above its threshold that is known to be absent, in groups."""
    groups = defaultdict(list)
    for suite in suites:
        for row, logits in zip(suite.rows, suite.logits):
            absent = numpy.array([bool(row.absent >> place & 1) for place in range(len(LABELS))])
            groups[key(row)].append(bool((absent & (logits > above)).any()))
    return {name: {"rows": len(hits), "flagged": float(numpy.mean(hits))} for name, hits in sorted(groups.items())}


def attacks_by(suites: list[Suite], above: numpy.ndarray, key) -> dict[str, dict]:
    """The share of attacks found, in groups."""
    groups = defaultdict(list)
    for suite in suites:
        for row, logits in zip(suite.rows, suite.logits):
            if row.holds & bits(ATTACKS):
                groups[key(row)].append(bool((logits[ATTACK_PLACES] > above[ATTACK_PLACES]).any()))
    return {name: {"rows": len(hits), "found": float(numpy.mean(hits))} for name, hits in sorted(groups.items())}


def diluted(evaluation: Evaluation, suites: list[Suite], carriers: list[str], above: numpy.ndarray, count: int) -> dict[str, float]:
    """Recall of short attacks with harmless text before and after them."""
    chance = random.Random("dilute")
    attacks = [row for suite in suites for row in suite.rows if row.holds & bits(ATTACKS[:2]) and len(row.text) <= SHORT]
    attacks = chance.sample(attacks, min(count, len(attacks)))
    found = {}
    for where in ("before", "after"):
        for length in DILUTIONS:
            texts = []
            for row in attacks:
                around = ""
                while len(around) < length:
                    around += chance.choice(carriers) + "\n"
                around = around[:length]
                texts.append(row.text if not length else f"{around}\n{row.text}" if where == "before" else f"{row.text}\n{around}")
            _, logits = evaluation.scored(texts, [row.role for row in attacks])
            found[f"{length} {where}"] = float((logits[:, ATTACK_PLACES] > above[ATTACK_PLACES]).any(1).mean())
    return found


def entities(suites: list[Suite]) -> dict[str, dict]:
    """F2 of each entity over pieces. A suite that never marks an entity does not count for it."""
    counts = {name: [0, 0, 0] for name in ENTITIES}
    for suite in suites:
        marked = {label for row in suite.rows for _, _, label in row.spans or ()}
        for row, scored in zip(suite.rows, suite.scored):
            for entity in marked & set(ENTITIES):
                own = {TAGS.index(f"B-{entity}"), TAGS.index(f"I-{entity}")}
                for (start, end), tag in zip(scored.offsets, scored.tags):
                    expected = any(label == entity and start < last and end > first for first, last, label in row.spans)
                    place = (0 if expected else 1) if tag in own else (2 if expected else None)
                    if place is not None and end > start:
                        counts[entity][place] += 1
    return {name: {"pieces": hits + missed, "f2": f_beta(hits, extra, missed)} for name, (hits, extra, missed) in counts.items() if hits + missed}


def languages(suites: list[Suite]) -> dict[str, dict]:
    """The share of texts of five words or more whose language is right."""
    groups = defaultdict(list)
    for suite in suites:
        for row, scored in zip(suite.rows, suite.scored):
            if row.lang not in (UNKNOWN, 0) and (len(row.text.split()) >= 5 or len(row.text) >= 15):
                groups[LANGUAGES[row.lang]].append(scored.language == LANGUAGES[row.lang])
    return {name: {"rows": len(hits), "right": float(numpy.mean(hits))} for name, hits in sorted(groups.items())}


def report(evaluation: Evaluation, suites: list[Suite], attacks: int = DILUTED) -> dict:
    """Returns all metrics."""
    harmless = [suite for suite in suites if suite.name.startswith(HARMLESS)]
    guarded = [suite for suite in suites if not suite.name.startswith("pii_")]
    above = thresholds(harmless)
    lines = by_suite(guarded, harmless, above)
    carriers = [row.text for suite in harmless if suite.name in ("benign_xquad_docs", "benign_code", "benign_oasst") for row in suite.rows]
    mean = lambda name: float(numpy.mean([line[name] for line in lines if line[name] is not None]))
    return {
        "mean_auc": mean("auc"),
        "mean_recall": mean("recall"),
        "suites": lines,
        "harmless_by_length": flagged_by(harmless, above, lambda row: bucket(row.text)),
        "harmless_by_suite": flagged_by(harmless, above, lambda row: row.source),
        "harmless_by_role": flagged_by(harmless, above, lambda row: row.role),
        "attacks_by_length": attacks_by(guarded, above, lambda row: bucket(row.text)),
        "attacks_by_role": attacks_by(guarded, above, lambda row: row.role),
        "diluted": diluted(evaluation, guarded, carriers, above, attacks),
        "entities": entities([suite for suite in suites if suite.name.startswith("pii_")]),
        "languages": languages(guarded),
    }


def percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def markdown(figures: dict) -> str:
    """The report as tables."""
    out = [f"Mean AUC {figures['mean_auc']:.4f}, mean recall at 1 % {percent(figures['mean_recall'])} %.", ""]
    out += ["| suite | label | rows | AUC | AUC within | recall % | by either attack label % |", "|---|---|---|---|---|---|---|"]
    for line in figures["suites"]:
        numbers = [f"{line[name]:.3f}" if line[name] is not None else "" for name in ("auc", "auc_within")]
        out.append(f"| {line['suite']} | {line['label']} | {line['rows']} | {numbers[0]} | {numbers[1]} | {percent(line['recall'])} | {percent(line['recall_either'])} |")
    titles = {
        "harmless_by_length": ("Harmless texts by length", "flagged"), "harmless_by_suite": ("Harmless texts by suite", "flagged"),
        "harmless_by_role": ("Harmless texts by role", "flagged"), "attacks_by_length": ("Attacks by length", "found"),
        "attacks_by_role": ("Attacks by role", "found"), "languages": ("Languages", "right"),
    }  # fmt: skip
    for key, (title, name) in titles.items():
        out += ["", f"| {title} | rows | {name} % |", "|---|---|---|"]
        out += [f"| {group} | {line['rows']} | {percent(line[name])} |" for group, line in figures[key].items()]
    out += ["", "| Harmless characters around an attack | found % |", "|---|---|", *(f"| {name} | {percent(share)} |" for name, share in figures["diluted"].items())]
    out += ["", "| Entity | pieces | F2 |", "|---|---|---|", *(f"| {name} | {line['pieces']} | {line['f2']:.3f} |" for name, line in figures["entities"].items())]
    return "\n".join(out) + "\n"


def newest(cache: Path) -> Path:
    """The model that was trained last."""
    found = sorted(cache.glob("runs/*/model.pt"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise SystemExit(f"no model under {cache}/runs: train one, or name one with --model")
    return found[-1]


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--model", type=Path, help="model.pt or checkpoint.pt; the newest of the cache where none is named")
    known.add_argument("--cache", type=Path, required=True)
    known.add_argument("--dev", type=Path, required=True)
    known.add_argument("--each", type=int, default=150, help="rows of a suite; 0 for all")
    known.add_argument("--out", type=Path, help="report, without suffix; beside the model where none is named")
    known.add_argument("--diluted", type=int, default=DILUTED, help="attacks that are set into harmless text")
    known.add_argument("--threads", type=int, default=2)
    given = known.parse_args()
    torch.set_num_threads(given.threads)
    given.model = given.model or newest(given.cache)
    given.out = given.out or given.model.with_name("report")
    encoder, _ = model.loaded(given.model)
    tokenizer = Tokenizer.from_file(str(given.cache / "tokenizer.json"))
    evaluation = Evaluation(encoder, tokenizer)
    suites = [evaluation.suite(path.name.split(".")[0], read(path, given.each)) for path in rows.files(given.dev)]
    figures = report(evaluation, suites, given.diluted)
    given.out.with_suffix(".json").write_text(json.dumps(figures, indent=1))
    given.out.with_suffix(".md").write_text(markdown(figures))
    print(f"mean AUC {figures['mean_auc']:.4f}", flush=True)


if __name__ == "__main__":
    main()
