"""The logits of a window: for each label a fitted, linear function of all that the encoder and another classifier say of it.
That of a text is the highest of its windows.

No term counts windows: the fit would learn that long texts are mostly harmless, and lose the attacks in them.
"""

import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy

from labels import LABELS

OWN_PULL = 5.0
"""How strongly the factors of a label's own inputs are held to 0, in examples."""
PULLS = (None, 60.0, 5.0)
"""How strongly those of other labels are held to 0. `None` leaves them out."""
FIXED = 1e9
"""A pull that holds a factor where it is."""
STEPS = 40
ROUNDS = 4
"""Times that the deciding windows are chosen anew."""
NEVER = -1e9
"""No window has a lower logit."""
DIGITS = 5
"""Significant digits of a factor in the file."""


@dataclass
class Windows:
    """What is said of the windows of a text, each (windows, labels)."""

    late: numpy.ndarray
    early: numpy.ndarray
    beside: numpy.ndarray

    def inputs(self, is_late: bool) -> numpy.ndarray:
        """(windows, inputs), the last of which is 1."""
        parts = [self.late, self.early, self.beside] if is_late else [self.early, self.beside]
        return numpy.concatenate([*parts, numpy.ones((len(self.early), 1), self.early.dtype)], 1)


@dataclass
class Combination:
    """For each label a row with the factors of all inputs, and an offset."""

    early: numpy.ndarray
    """Of the early logits and the log-odds beside them, for a window that leaves early."""
    late: numpy.ndarray
    """Of the late logits, the early logits and the log-odds beside them, for another one."""
    exit_below: float = NEVER

    def early_logits(self, windows: Windows) -> numpy.ndarray:
        return windows.inputs(False) @ self.early.T

    def late_logits(self, windows: Windows) -> numpy.ndarray:
        return windows.inputs(True) @ self.late.T

    def reads_on(self) -> numpy.ndarray:
        """The labels whose logit depends on the upper layers."""
        return (self.late[:, : len(LABELS)] != 0).any(1)

    def logits(self, windows: Windows) -> numpy.ndarray:
        """The logits of windows, some of which leave early."""
        early = self.early_logits(windows)
        leaves = early[:, self.reads_on()].max(1, initial=-numpy.inf) < self.exit_below
        return numpy.where(leaves[:, None], early, self.late_logits(windows))

    def text(self, windows: Windows) -> numpy.ndarray:
        """The logits of a text."""
        return self.logits(windows).max(0, initial=NEVER)

    def without(self, place: int) -> None:
        """Leaves a label to the classifier beside."""
        for factors in (self.early, self.late):
            factors[place] = 0.0
            factors[place, place - len(LABELS) - 1] = 1.0

    def write(self, path: Path) -> None:
        """Writes the file that the service reads."""
        lines = ",\n".join(f"  {json.dumps(label)}: {json.dumps(line)}" for label, line in zip(LABELS, map(written, self.early, self.late)))
        path.write_text(f'{{\n "exit_below": {self.exit_below},\n "labels": {{\n{lines}\n }}\n}}\n')


def written(early: numpy.ndarray, late: numpy.ndarray) -> dict:
    """The factors of a label as the file has them."""
    short = lambda values: [float(f"{value:.{DIGITS}g}") for value in values]
    named = lambda names, row: {name: short(part) for name, part in zip(names, numpy.split(row[:-1], len(names)))} | {"offset": short(row[-1:])[0]}
    return {"early": named(("early", "beside"), early), "late": named(("late", "early", "beside"), late)}


def highest() -> Combination:
    """What the encoder says itself, before anything is fitted."""
    count = len(LABELS)
    return Combination(numpy.eye(count, 2 * count + 1), numpy.eye(count, 3 * count + 1))


def read(path: Path) -> Combination:
    """What `write` wrote."""
    found = json.loads(path.read_text())
    row = lambda line, names: [factor for name in names for factor in line[name]] + [line["offset"]]
    lines = [found["labels"][label] for label in LABELS]
    early = [row(line["early"], ("early", "beside")) for line in lines]
    late = [row(line["late"], ("late", "early", "beside")) for line in lines]
    return Combination(numpy.array(early), numpy.array(late), found["exit_below"])


@dataclass
class Texts:
    """Windows of texts, and which of them hold a label. Every suite's texts with the label count the same."""

    windows: list[numpy.ndarray]
    """(windows, inputs) for each text."""
    holds: numpy.ndarray
    suites: numpy.ndarray

    def __getitem__(self, places: numpy.ndarray) -> "Texts":
        return Texts([self.windows[place] for place in places], self.holds[places], self.suites[places])

    def weights(self) -> numpy.ndarray:
        """What each text counts."""
        counts = Counter(self.suites[self.holds])
        share = self.holds.sum() / max(1, len(counts))
        return numpy.array([share / counts[suite] if holds else 1.0 for suite, holds in zip(self.suites, self.holds)])


def newton(inputs: numpy.ndarray, target: numpy.ndarray, weights: numpy.ndarray, pull: numpy.ndarray, rising: numpy.ndarray, start: numpy.ndarray) -> numpy.ndarray:
    """A logistic regression by Newton's method, held to 0 as strongly as `pull` says. Factors of `rising` inputs stay at 0 or
    above, so that more of them never lowers the logit."""
    factors = start.copy()
    for _ in range(STEPS):
        chances = 1 / (1 + numpy.exp(-numpy.clip(inputs @ factors, -30, 30)))
        slope = inputs.T @ (weights * (chances - target)) + pull * factors
        free = ~rising | (factors > 1e-9) | (slope < 0)
        curve = (inputs * (weights * chances * (1 - chances))[:, None]).T @ inputs + numpy.diag(pull)
        step = numpy.zeros(len(factors))
        step[free] = numpy.linalg.solve(curve[numpy.ix_(free, free)], slope[free])
        before, factors = factors, factors - step / max(1.0, numpy.abs(step).max())
        factors[rising] = numpy.maximum(factors[rising], 0.0)
        if numpy.abs(factors - before).max() < 1e-4:
            break
    return factors


@dataclass
class Scale:
    """Mean and spread of each input, so that one pull suits all."""

    mean: numpy.ndarray
    spread: numpy.ndarray

    @staticmethod
    def of(texts: list[numpy.ndarray]) -> "Scale":
        every = numpy.concatenate(texts)
        mean, spread = every.mean(0), every.std(0)
        mean[-1], spread[-1] = 0.0, 1.0
        # An input that never changes says nothing.
        spread[spread < 1e-3] = numpy.inf
        return Scale(mean, spread)

    def apply(self, text: numpy.ndarray) -> numpy.ndarray:
        return (text - self.mean) / self.spread

    def undo(self, factors: numpy.ndarray) -> numpy.ndarray:
        """The factors of the inputs as they are."""
        found = factors / self.spread
        found[-1] -= (found * self.mean)[:-1].sum()
        return found


def of_label(texts: Texts, place: int, pull: float | None) -> numpy.ndarray:
    """The factors of a label on scaled inputs. A text counts with the window that the factors find highest."""
    count = texts.windows[0].shape[1]
    own = numpy.arange(count) % len(LABELS) == place
    own[-1] = False
    pulls = numpy.where(own, OWN_PULL, FIXED if pull is None else pull)
    pulls[-1] = 0.01
    factors = own.astype(float)
    for _ in range(ROUNDS):
        deciding = numpy.stack([windows[(windows @ factors).argmax()] for windows in texts.windows])
        factors = newton(deciding, texts.holds.astype(float), texts.weights(), pulls, own, factors)
    return factors


def found_elsewhere(texts: Texts, place: int, pull: float | None, rate: float, least: int) -> float | None:
    """Share of the texts that is found in suites which were left out of the fit, at a score that one harmless text in so many
    exceeds which were left out too. `None` without two suites of so many texts."""
    counts = Counter(texts.suites[texts.holds])
    suites = sorted(suite for suite, count in counts.items() if count >= least)
    if len(suites) < 2:
        return None
    others = numpy.flatnonzero(~texts.holds)
    kept, checked = others[::2], others[1::2]
    shares = []
    for suite in suites:
        own = numpy.flatnonzero(texts.holds & (texts.suites == suite))
        rest = numpy.flatnonzero(texts.holds & (texts.suites != suite))
        factors = of_label(texts[numpy.concatenate([rest, kept])], place, pull)
        said = lambda places: numpy.array([(texts.windows[place] @ factors).max() for place in places])
        shares.append((said(own) > numpy.quantile(said(checked), 1 - rate)).mean())
    return float(numpy.mean(shares))


def best_pull(texts: Texts, place: int, rate: float, least: int) -> float | None:
    """The pull with which most is found in suites that were left out."""
    found = {pull: found_elsewhere(texts, place, pull, rate, least) for pull in PULLS}
    return max(PULLS, key=lambda pull: found[pull] or 0.0)


def fitted(windows: list[Windows], holds: numpy.ndarray, known: numpy.ndarray, suites: numpy.ndarray, rate: float = 0.005, least: int = 8) -> Combination:
    """Fits the factors of each label. `holds` and `known` are (texts, labels). A label that holds for no text is left to the
    classifier beside."""
    found = replace(highest())
    pulls: dict[int, float | None] = {}
    for is_late in (True, False):
        inputs = [text.inputs(is_late) for text in windows]
        scale = Scale.of(inputs)
        inputs = [scale.apply(text) for text in inputs]
        rows = found.late if is_late else found.early
        for place in range(len(LABELS)):
            there = numpy.flatnonzero(known[:, place])
            if not holds[there, place].any():
                found.without(place)
                continue
            texts = Texts([inputs[row] for row in there], holds[there, place], suites[there])
            if is_late:
                pulls[place] = best_pull(texts, place, rate, least)
            rows[place] = scale.undo(of_label(texts, place, pulls[place]))
    return found
