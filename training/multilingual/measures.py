"""Detection metrics: area under the curve, recall at a false-positive rate, calibration, F2."""

import numpy


def auc(scores: numpy.ndarray, holds: numpy.ndarray) -> float | None:
    """The chance that a positive scores above a negative; ties count half. None where a side is empty."""
    positives, negatives = int(holds.sum()), int((~holds).sum())
    if not positives or not negatives:
        return None
    order = numpy.argsort(scores, kind="stable")
    values, start = numpy.unique(scores[order], return_index=True)
    ends = numpy.append(start[1:], len(scores))
    ranks = numpy.empty(len(scores))
    for first, last in zip(start, ends):
        ranks[order[first:last]] = (first + last + 1) / 2
    return float((ranks[holds].sum() - positives * (positives + 1) / 2) / positives / negatives)


def threshold(scores: numpy.ndarray, rate: float) -> float:
    """The score that at most this share of the harmless scores exceeds."""
    ordered = numpy.sort(scores)[::-1]
    return float(ordered[min(int(rate * len(ordered)), len(ordered) - 1)])


def recall(scores: numpy.ndarray, above: float) -> float | None:
    """The share of positives above a threshold."""
    return float((scores > above).mean()) if len(scores) else None


def calibration_error(chances: numpy.ndarray, holds: numpy.ndarray, buckets: int = 10) -> float:
    """The expected calibration error over buckets of equal width."""
    places = numpy.minimum((chances * buckets).astype(int), buckets - 1)
    total = 0.0
    for place in range(buckets):
        there = places == place
        if there.any():
            total += abs(chances[there].mean() - holds[there].mean()) * there.mean()
    return float(total)


def f_beta(hits: int, extra: int, missed: int, beta: float = 2.0) -> float:
    """F-beta from counts; recall counts `beta` times as much as precision."""
    square = beta * beta
    return (1 + square) * hits / max((1 + square) * hits + square * missed + extra, 1)
