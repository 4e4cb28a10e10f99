"""The score of a whole text: a fitted function of the scores of its windows and of how many there are."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy

from labels import LABELS, ROLES

PULL = 2.0
"""How strongly the weights of a label are held to those of all labels together, in examples."""
FIXED = 1e9
"""A pull that holds a weight where it is."""
STEPS = 30


def features(logits: numpy.ndarray) -> numpy.ndarray:
    """For each label: the highest logit, the mean of the three highest, and the logarithm of the number of windows.

    `logits` is (windows, labels), the result (labels, 3).
    """
    ordered = -numpy.sort(-logits, 0)
    count = numpy.full(logits.shape[1], numpy.log(len(logits)))
    return numpy.stack([ordered[0], ordered[:3].mean(0), count], 1)


@dataclass
class Combination:
    """For each label a logistic function of three features, with a bias for each role."""

    weights: list[list[float]]
    """(labels, 3)"""
    biases: list[list[float]]
    """(labels, roles)"""

    def logits(self, windows: numpy.ndarray, role: str) -> numpy.ndarray:
        """The logits of a text."""
        found = (features(windows) * numpy.array(self.weights)).sum(1)
        return found + numpy.array(self.biases)[:, ROLES.index(role)]

    def described(self) -> dict:
        return asdict(self)


HIGHEST = Combination([[1.0, 0.0, 0.0]] * len(LABELS), [[0.0] * len(ROLES)] * len(LABELS))
"""The highest score of any window, before anything is fitted."""


def read(path: Path) -> Combination:
    """The combination that calibrate.py wrote."""
    return Combination(**json.loads(path.read_text())["combination"])


def rising(fit, start: numpy.ndarray, pull: numpy.ndarray) -> numpy.ndarray:
    """A fit in which no higher window lowers the score: factors of logits that would be negative are 0."""
    start, pull = start.copy(), pull.copy()
    while True:
        found = fit(start, pull)
        negative = [place for place in (0, 1) if found[place] < -1e-6]
        if not negative:
            found[:2] = numpy.maximum(found[:2], 0.0)
            return found
        start[negative], pull[negative] = 0.0, FIXED


def newton(inputs: numpy.ndarray, target: numpy.ndarray, start: numpy.ndarray, pull: numpy.ndarray) -> numpy.ndarray:
    """A logistic regression by Newton's method whose weights are held to `start` as strongly as `pull` says."""
    weights = start.copy()
    for _ in range(STEPS):
        chances = 1 / (1 + numpy.exp(-numpy.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (chances - target) + pull * (weights - start)
        curve = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + numpy.diag(pull)
        weights -= numpy.linalg.solve(curve, slope)
    return weights


def fitted(texts: list[numpy.ndarray], roles: list[str], holds: numpy.ndarray, known: numpy.ndarray) -> Combination:
    """Fits the combination: for all labels together first, then for each, held to what all have in common.

    `holds` and `known` are (texts, labels).
    """
    rows = numpy.stack([features(text) for text in texts])
    role = numpy.eye(len(ROLES))[[ROLES.index(name) for name in roles]]
    labels = numpy.broadcast_to(numpy.eye(len(LABELS)), (len(texts), len(LABELS), len(LABELS)))
    start = numpy.array([1.0, 0.0, 0.0, *[0.0] * len(LABELS)])
    common = newton(numpy.concatenate([rows, labels], 2)[known], holds[known].astype(float), start, numpy.full(len(start), PULL))
    weights, biases = [], []
    for place in range(len(LABELS)):
        there = known[:, place]
        inputs = numpy.concatenate([rows[there, place], numpy.ones((there.sum(), 1)), role[there]], 1)
        start = numpy.array([*common[:3], common[3 + place], *[0.0] * len(ROLES)])
        pull = numpy.array([10 * PULL, 10 * PULL, 10 * PULL, PULL, *[PULL] * len(ROLES)])
        target = holds[there, place].astype(float)
        own = rising(lambda start, pull: newton(inputs, target, start, pull), start, pull)
        weights.append(own[:3].tolist())
        biases.append((own[3] + own[4:]).tolist())
    return Combination(weights, biases)
