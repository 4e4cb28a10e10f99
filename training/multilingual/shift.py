"""Moves the scores of each guardrail so that its default threshold finds most, within budgets of harmless texts.

    guardengine eval DIR --json > E
    shift.py --report E --combination C

The whole engine says more than the windows that the combination was fitted on: it also reads decoded views, and has rules.
Thresholds that stored policies hold keep their meaning: offsets change, and no threshold does. A text is harmless if every
text of its suite should pass.
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
from labels import ATTACKS, LABELS


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
        if any(held):
            guardrails[name] = Guardrail(said(harmless, name), [said(texts, name) for texts in held if texts])
    return guardrails, budgets.groups(lengths)


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    known.add_argument("--report", type=Path, required=True)
    known.add_argument("--combination", type=Path, required=True, help="the file that is changed")
    known.add_argument("--attack", type=float, default=budgets.ATTACK, help="share of harmless texts that may be called an attack")
    known.add_argument("--together", type=float, default=budgets.TOGETHER, help="share of harmless texts that may be flagged")
    given = known.parse_args()
    report = json.loads(given.report.read_text())
    guardrails, groups = read(report)
    thresholds = {line["guardrail"]: line["threshold"] for suite in report["suites"] for line in suite["guardrails"]}
    above = budgets.eased(guardrails, groups, dict.fromkeys(ATTACKS, given.attack), given.together)
    budgets.shifted(combination.read(given.combination), above, thresholds).write(given.combination)
    for name, level in above.items():
        guardrail = guardrails[name]
        at = lambda score: f"{guardrail.recall(score):.3f} found, {guardrail.flagged(score).mean():.4f} of harmless"
        print(f"{name}: {at(thresholds[name])} -> {at(level)} (at {level:.3f})")


if __name__ == "__main__":
    main()
