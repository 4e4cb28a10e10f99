import numpy

import budgets
import combination
from labels import LABELS


def guardrail(name, strength):
    """A guardrail whose positives score higher by so much."""
    chance = numpy.random.default_rng(2)
    squash = lambda logits: 1 / (1 + numpy.exp(-logits))
    return budgets.of(name, squash(chance.normal(-4, 1, 4_000)), [squash(chance.normal(-4 + strength, 1, 200)) for _ in range(2)])


def test_a_guardrail_spends_its_budget_in_the_worst_group_and_no_more():
    groups = budgets.groups(numpy.arange(4_000) % 4)
    for name, most in (("prompt_injection", 0.02), ("spam", 0.003)):
        one = guardrail(name, 4.0)
        flagged = one.flagged(one.level(groups))
        shares = [flagged[group].mean() for group in groups]
        assert len(groups) == 5 and max(shares) <= most
        looser = one.flagged(one.levels[one.levels.index(one.level(groups)) + 1])
        assert max(looser[group].mean() for group in groups) > most
        assert one.recall(one.level(groups)) > 0.5


def test_a_length_with_few_texts_does_not_count_by_itself():
    assert len(budgets.groups(numpy.array([0] * 400 + [1] * 20))) == 2


def test_scores_are_moved_to_the_threshold_of_the_service():
    moved = budgets.shifted(combination.highest(), {LABELS[0]: 0.2}, {LABELS[0]: 0.7})
    expected = numpy.log(0.7 / 0.3) - numpy.log(0.2 / 0.8)
    assert numpy.isclose(moved.early[0, -1], expected) and numpy.isclose(moved.late[0, -1], expected)
    assert moved.late[1, -1] == 0.0
