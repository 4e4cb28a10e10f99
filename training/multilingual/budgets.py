"""Where the thresholds of the guardrails should stand, within budgets of harmless texts.

A guardrail may flag its budget of all harmless texts, and of those of each length. The lowest score that keeps it is where its
threshold should stand.
"""

from dataclasses import dataclass, field

import numpy

import combination
from labels import ATTACKS, LABELS

OTHER, ATTACK = 0.003, 0.02
"""Shares of harmless texts that a guardrail may flag. Attacks on the model get more: they are what the product is for."""
ENOUGH = 200
"""Harmless texts from which those of a length count by themselves. Of few texts one may be flagged, whatever the budget."""
LEAST, MOST = 0.02, 0.995
"""The lowest and the highest score that may become a threshold."""


@dataclass
class Guardrail:
    """What a guardrail says of the harmless texts, and of those that it should find, by suite."""

    budget: float
    harmless: numpy.ndarray
    suites: list[numpy.ndarray]
    levels: list[float] = field(init=False)
    """Scores that harmless texts reach, the highest first."""

    def __post_init__(self) -> None:
        reached = numpy.unique(self.harmless)[::-1].tolist()
        self.levels = [level for level in reached if LEAST < level < MOST] + [LEAST]

    def recall(self, above: float) -> float:
        """The share that is found at a threshold. Every suite counts the same."""
        return float(numpy.mean([(scores >= above).mean() for scores in self.suites])) if self.suites else 0.0

    def flagged(self, above: float) -> numpy.ndarray:
        return self.harmless >= above

    def level(self, parts: list[numpy.ndarray]) -> float:
        """The lowest score that keeps the budget in each part of the harmless texts."""
        lowest = MOST
        for level in self.levels:
            flagged = self.flagged(level)
            if any(flagged[part].sum() > max(1, self.budget * part.sum()) for part in parts):
                break
            lowest = level
        return lowest


def of(name: str, harmless: numpy.ndarray, suites: list[numpy.ndarray]) -> Guardrail:
    """A guardrail with its budget."""
    return Guardrail(ATTACK if name in ATTACKS else OTHER, harmless, suites)


def groups(lengths: numpy.ndarray) -> list[numpy.ndarray]:
    """Which harmless texts are in a group: all of them, and those of each length that has enough."""
    found = [numpy.ones(len(lengths), bool), *(lengths == length for length in sorted(set(lengths.tolist())))]
    return [group for group in found if group.sum() >= ENOUGH or group.all()]


def log_odds(share: float) -> float:
    return float(numpy.log(share) - numpy.log1p(-share))


def shifted(combined: combination.Combination, above: dict[str, float], thresholds: dict[str, float]) -> combination.Combination:
    """The combination with offsets that bring the scores `above` to the thresholds that the service has."""
    found = combination.Combination(combined.early.copy(), combined.late.copy(), combined.exit_below)
    for place, name in enumerate(LABELS):
        if name in above and name in thresholds:
            move = log_odds(thresholds[name]) - log_odds(above[name])
            found.early[place, -1] += move
            found.late[place, -1] += move
    return found
