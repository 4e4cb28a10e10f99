"""Where the thresholds of the guardrails should stand, within budgets of harmless texts.

From no harmless text flagged at all, the guardrail is eased that finds the largest share more for each harmless text that
it costs, until the budgets are spent: those of each guardrail and that of all together, of all harmless texts and of those
of each length.
"""

from dataclasses import dataclass, field

import numpy

import combination
from labels import LABELS

EACH = 0.003
"""Share of harmless texts that a guardrail may flag."""
ATTACK = 0.01
"""The same, for attacks on the model: what the product is for."""
TOGETHER = 0.03
"""Share of harmless texts that all guardrails together may flag."""
ENOUGH = 300
"""Harmless texts from which those of a length count by themselves."""
LEAST, MOST = 0.02, 0.995
"""The lowest and the highest score that may become a threshold."""


@dataclass
class Guardrail:
    """What a guardrail says of the harmless texts, and of those that it should find, by suite."""

    harmless: numpy.ndarray
    suites: list[numpy.ndarray]
    levels: list[float] = field(init=False)
    """Scores that harmless texts reach, the highest first."""

    def __post_init__(self) -> None:
        reached = numpy.unique(self.harmless)[::-1].tolist()
        self.levels = [level for level in reached if LEAST < level < MOST] + [LEAST]

    def recall(self, above: float) -> float:
        """The share that is found at a threshold. Every suite counts the same."""
        return float(numpy.mean([(scores >= above).mean() for scores in self.suites]))

    def flagged(self, above: float) -> numpy.ndarray:
        return self.harmless >= above


def groups(lengths: numpy.ndarray) -> list[numpy.ndarray]:
    """Which harmless texts are in a group: all of them, and those of each length that has enough."""
    found = [numpy.ones(len(lengths), bool), *(lengths == length for length in sorted(set(lengths.tolist())))]
    return [group for group in found if group.sum() >= ENOUGH or group.all()]


def within(flagged: numpy.ndarray, parts: list[numpy.ndarray], budget: float) -> bool:
    return all(flagged[part].mean() <= budget for part in parts)


def eased(guardrails: dict[str, Guardrail], parts: list[numpy.ndarray], each: dict[str, float], together: float) -> dict[str, float]:
    """The score at which each guardrail's threshold should stand. `each` are the budgets that differ from `EACH`."""
    above = dict.fromkeys(guardrails, MOST)
    while True:
        found = {name: guardrail.flagged(above[name]) for name, guardrail in guardrails.items()}
        spent = numpy.sum(list(found.values()), 0)
        best = (0.0, "", 0.0)
        for name, guardrail in guardrails.items():
            others = (spent - found[name]) > 0
            before, now = guardrail.recall(above[name]), (spent > 0).sum()
            for level in (level for level in guardrail.levels if level < above[name]):
                own = guardrail.flagged(level)
                if not within(own, parts, each.get(name, EACH)) or not within(others | own, parts, together):
                    break
                # Half a text is added so that what costs nothing comes first, and the larger gain of two before the smaller.
                cost = (others | own).sum() - now + 0.5
                best = max(best, ((guardrail.recall(level) - before) / cost, name, level))
        if not best[0]:
            return above
        above[best[1]] = best[2]


def log_odds(share: float) -> float:
    return float(numpy.log(share) - numpy.log1p(-share))


def shifted(combined: combination.Combination, above: dict[str, float], thresholds: dict[str, float]) -> combination.Combination:
    """The combination with offsets that bring the scores `above` to the thresholds that the service has."""
    moves = [log_odds(thresholds[name]) - log_odds(above[name]) if name in above and name in thresholds else 0.0 for name in LABELS]
    move = lambda lines: [[*line[:-1], line[-1] + step] for line, step in zip(lines, moves)]
    return combination.Combination(move(combined.early), move(combined.late), combined.exit_below)
