"""The logits of a window: a fitted function of what the encoder and another classifier say of it. That of a text is the highest.

No term counts windows: the fit would learn that long texts are mostly harmless, and lose the attacks in them.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy

from labels import LABELS

PULL = 10.0
"""How strongly the factors of a label are held to those of all labels together, in examples."""
FIXED = 1e9
"""A pull that holds a factor where it is."""
STEPS = 30
ROUNDS = 5
"""Times that the deciding windows are chosen anew."""
NEVER = -1e9
"""No window has a lower logit."""


@dataclass
class Windows:
    """What is said of the windows of a text, each (windows, labels)."""

    late: numpy.ndarray
    early: numpy.ndarray
    beside: numpy.ndarray

    def inputs(self, is_late: bool) -> numpy.ndarray:
        """(windows, labels, inputs), the last of which is 1."""
        parts = [self.late, self.early, self.beside] if is_late else [self.early, self.beside]
        return numpy.stack([*parts, numpy.ones_like(self.early)], 2)


@dataclass
class Combination:
    """For each label the factors of its inputs and an offset."""

    early: list[list[float]]
    """Of the early logit and the log-odds beside it, for a window that leaves early."""
    late: list[list[float]]
    """Of the late logit, the early logit and the log-odds beside them, for another one."""
    exit_below: float = NEVER

    def early_logits(self, windows: Windows) -> numpy.ndarray:
        return (windows.inputs(False) * numpy.array(self.early)).sum(2)

    def late_logits(self, windows: Windows) -> numpy.ndarray:
        return (windows.inputs(True) * numpy.array(self.late)).sum(2)

    def logits(self, windows: Windows) -> numpy.ndarray:
        """The logits of windows, some of which leave early."""
        early = self.early_logits(windows)
        leaves = early.max(1, initial=-numpy.inf) < self.exit_below
        return numpy.where(leaves[:, None], early, self.late_logits(windows))

    def text(self, windows: Windows) -> numpy.ndarray:
        """The logits of a text."""
        return self.logits(windows).max(0, initial=NEVER)

    def write(self, path: Path) -> None:
        """Writes the file that the service reads."""
        lines = {label: {"early": early, "late": late} for label, early, late in zip(LABELS, self.early, self.late)}
        path.write_text(json.dumps({"exit_below": self.exit_below, "labels": lines}, indent=1) + "\n")


HIGHEST = Combination([[1.0, 0.0, 0.0]] * len(LABELS), [[1.0, 0.0, 0.0, 0.0]] * len(LABELS))
"""What the encoder says itself, before anything is fitted."""


def read(path: Path) -> Combination:
    """What `write` wrote."""
    found = json.loads(path.read_text())
    lines = [found["labels"][label] for label in LABELS]
    return Combination([line["early"] for line in lines], [line["late"] for line in lines], found["exit_below"])


def newton(inputs: numpy.ndarray, target: numpy.ndarray, start: numpy.ndarray, pull: numpy.ndarray) -> numpy.ndarray:
    """A logistic regression by Newton's method whose weights are held to `start` as strongly as `pull` says."""
    weights = start.copy()
    for _ in range(STEPS):
        chances = 1 / (1 + numpy.exp(-numpy.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (chances - target) + pull * (weights - start)
        curve = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + numpy.diag(pull)
        step = numpy.linalg.solve(curve, slope)
        weights -= step / max(1.0, numpy.abs(step).max())
    return weights


def rising(fit, start: numpy.ndarray, pull: numpy.ndarray) -> numpy.ndarray:
    """A fit in which no higher input lowers the logit: factors that would be negative are 0."""
    start, pull = start.copy(), pull.copy()
    while True:
        found = fit(start, pull)
        negative = numpy.flatnonzero(found[:-1] < -1e-6)
        if not len(negative):
            found[:-1] = numpy.maximum(found[:-1], 0.0)
            return found
        start[negative], pull[negative] = 0.0, FIXED


def of_label(texts: list[numpy.ndarray], holds: numpy.ndarray, start: numpy.ndarray) -> numpy.ndarray:
    """The factors of a label. `texts` are (windows, inputs). A text counts with the window that the factors find highest."""
    pull = numpy.full(len(start), PULL)
    pull[-1] = 0.1
    weights = start
    for _ in range(ROUNDS):
        deciding = numpy.stack([windows[(windows @ weights).argmax()] for windows in texts])
        weights = rising(lambda start, pull: newton(deciding, holds.astype(float), start, pull), start, pull)
    return weights


def fitted(texts: list[Windows], holds: numpy.ndarray, known: numpy.ndarray) -> Combination:
    """Fits the factors of each label, held to what all labels have in common. `holds` and `known` are (texts, labels).

    A label that holds for no text keeps the common factors.
    """
    found = {}
    for is_late in (False, True):
        inputs = [windows.inputs(is_late) for windows in texts]
        common = numpy.array([*[1 / (2 + is_late)] * (2 + is_late), 0.0])
        pairs = [(row, place) for row, place in zip(*numpy.nonzero(known)) if holds[:, place].any()]
        common = of_label([inputs[row][:, place] for row, place in pairs], numpy.array([holds[pair] for pair in pairs]), common)
        lines = []
        for place in range(len(LABELS)):
            there = numpy.flatnonzero(known[:, place])
            own = [inputs[row][:, place] for row in there]
            lines.append((of_label(own, holds[there, place], common) if holds[:, place].any() else common).tolist())
        found[is_late] = lines
    return Combination(found[False], found[True])
