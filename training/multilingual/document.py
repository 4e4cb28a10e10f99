"""The score of a whole text: a fitted function of the scores of its windows and of how many there are."""

from dataclasses import asdict, dataclass

import numpy

from labels import LABELS

RIDGE = 1e-2
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
    """A logistic function: three weights for all labels together, and a bias for each."""

    weights: list[float]
    biases: list[float]

    def logits(self, windows: numpy.ndarray) -> numpy.ndarray:
        """The logits of a text."""
        return features(windows) @ numpy.array(self.weights) + numpy.array(self.biases)

    def described(self) -> dict:
        return asdict(self)


HIGHEST = Combination([1.0, 0.0, 0.0], [0.0] * len(LABELS))
"""The highest score of any window, before anything is fitted."""


def fitted(texts: list[numpy.ndarray], holds: numpy.ndarray, known: numpy.ndarray) -> Combination:
    """Fits the combination by Newton's method. `holds` and `known` are (texts, labels)."""
    rows = numpy.stack([features(text) for text in texts])
    bias = numpy.broadcast_to(numpy.eye(len(LABELS)), (len(texts), len(LABELS), len(LABELS)))
    inputs = numpy.concatenate([rows, bias], 2)[known]
    target = holds[known].astype(float)
    start = numpy.concatenate([HIGHEST.weights, HIGHEST.biases])
    weights = start.copy()
    for _ in range(STEPS):
        chances = 1 / (1 + numpy.exp(-numpy.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (chances - target) + RIDGE * len(target) / 100 * (weights - start)
        curve = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + numpy.eye(len(weights)) * RIDGE * len(target) / 100
        weights -= numpy.linalg.solve(curve, slope)
    return Combination(weights[:3].tolist(), weights[3:].tolist())
