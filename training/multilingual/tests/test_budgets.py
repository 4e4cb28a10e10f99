import numpy

import budgets
import combination
from budgets import Guardrail
from labels import LABELS


def guardrail(chance, strength):
    """A guardrail whose positives score higher by so much."""
    squash = lambda logits: 1 / (1 + numpy.exp(-logits))
    return Guardrail(squash(chance.normal(-4, 1, 4_000)), [squash(chance.normal(-4 + strength, 1, 200)) for _ in range(2)])


def test_the_budgets_of_all_groups_are_kept_and_spent_where_they_find_most():
    chance = numpy.random.default_rng(2)
    some = {"sure": guardrail(chance, 3.0), "unsure": guardrail(chance, 0.0)}
    groups = budgets.groups(numpy.arange(4_000) % 4)
    above = budgets.eased(some, groups, dict.fromkeys(some, 0.01), 0.01)
    flagged = {name: some[name].flagged(level) for name, level in above.items()}
    assert len(groups) == 5 and all((flagged["sure"] | flagged["unsure"])[group].mean() <= 0.01 for group in groups)
    assert flagged["sure"].sum() > 2 * flagged["unsure"].sum()
    halved = budgets.eased(some, groups, dict.fromkeys(some, 0.005), 0.01)
    found = lambda chosen: sum(some[name].recall(level) for name, level in chosen.items())
    assert found(above) >= found(halved)


def test_a_length_with_few_texts_does_not_count_by_itself():
    assert len(budgets.groups(numpy.array([0] * 400 + [1] * 20))) == 2


def test_scores_are_moved_to_the_threshold_of_the_service():
    lines = lambda count: [[*[0.5] * count, 0.0] for _ in LABELS]
    moved = budgets.shifted(combination.Combination(lines(2), lines(3)), {LABELS[0]: 0.2}, {LABELS[0]: 0.7})
    expected = numpy.log(0.7 / 0.3) - numpy.log(0.2 / 0.8)
    assert numpy.isclose(moved.early[0][-1], expected) and numpy.isclose(moved.late[0][-1], expected)
    assert moved.late[1][-1] == 0.0
