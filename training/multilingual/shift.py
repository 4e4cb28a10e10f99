"""Keeps of the combination what helps the whole engine, and moves scores so that default thresholds keep their budgets.

    guardengine eval DIR --json > E                 with the combination as calibrate.py fitted it
    guardengine eval DIR --json > B                 with the classifier beside it alone
    shift.py --report E --beside B --combination C

The engine says more than the windows that the combination was fitted on: it also reads decoded views, and has rules. A
guardrail that finds hardly more within its budget with the encoder keeps the scores beside it, as they are. Thresholds that
stored policies hold keep their meaning: offsets change, and no threshold does. A text is harmless if every text of its suite
should pass.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy

import budgets
import combination
from budgets import Guardrail
from evaluate import BUCKETS
from labels import LABELS

GAIN = 0.03
"""Share more that the encoder must find to be kept."""
POSITIVES = 8
"""Texts with a guardrail from which a suite counts for it."""


def read(report: dict) -> tuple[dict[str, Guardrail], list[numpy.ndarray]]:
    """The guardrails of a report, and the groups of its harmless texts."""
    suites = defaultdict(list)
    for text in report["texts"]:
        suites[text["suite"]].append(text)
    harmless = [text for texts in suites.values() if all(text.get("expect") == "pass" for text in texts) for text in texts]
    lengths = numpy.searchsorted(BUCKETS, [text["characters"] for text in harmless], side="right")
    said = lambda texts, name: numpy.array([text["confidences"].get(name, 0.0) for text in texts])
    guardrails = {}
    for name in LABELS:
        held = [[text for text in texts if name in text.get("labels", [])] for texts in suites.values()]
        guardrails[name] = budgets.of(name, said(harmless, name), [said(texts, name) for texts in held if len(texts) >= POSITIVES])
    return guardrails, budgets.groups(lengths)


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    known.add_argument("--report", type=Path, required=True)
    known.add_argument("--beside", type=Path, required=True)
    known.add_argument("--combination", type=Path, required=True, help="the file that is changed")
    given = known.parse_args()
    report = json.loads(given.report.read_text())
    both, groups = read(report)
    beside, _ = read(json.loads(given.beside.read_text()))
    thresholds = {line["guardrail"]: line["threshold"] for suite in report["suites"] for line in suite["guardrails"]}
    combined, above = combination.read(given.combination), {}
    for place, name in enumerate(LABELS):
        levels = [guardrails[name].level(groups) for guardrails in (both, beside)]
        found, without = both[name].recall(levels[0]), beside[name].recall(levels[1])
        is_kept = found > without + GAIN
        if is_kept:
            above[name] = levels[0]
        else:
            combined.without(place)
        print(f"{name}: {found:.3f} found with the encoder, {without:.3f} without")
    budgets.shifted(combined, above, thresholds).write(given.combination)


if __name__ == "__main__":
    main()
