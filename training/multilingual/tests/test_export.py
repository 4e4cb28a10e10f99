import numpy
import pytest
import torch
from tokenizers import Tokenizer

import combination
import evaluate
import export
import measures
import model
from labels import EVERY, LABELS, bits
from rows import Row


def test_an_exported_model_says_what_the_trained_one_says(cache, tmp_path):
    encoder = model.pretrained(cache, layers=2, exit=1).eval()
    export.write(encoder, Tokenizer.from_file(str(cache / "tokenizer.json")), tmp_path / "out.safetensors")
    again = export.read(tmp_path / "out.safetensors").eval()
    ids, role = torch.randint(4, 60, (3, 12)), torch.tensor([0, 1, 2])
    mask = torch.ones_like(ids, dtype=torch.bool)
    one, two = encoder(ids, mask, role), again(ids, mask, role)
    assert torch.nn.functional.cosine_similarity(one.vector, two.vector).min() > 0.999
    assert torch.allclose(one.late, two.late, atol=0.05)


def test_quantised_rows_keep_their_largest_weight():
    weights = numpy.array([[0.5, -1.0], [1e-3, 0.0]], numpy.float32)
    whole, scales = export.quantised(weights)
    assert numpy.allclose(whole * scales[:, None], weights, atol=5e-3) and whole[0, 1] == -127


SHOWN, ELSEWHERE = LABELS.index("spam"), LABELS.index("fraud")


def readings(chance, is_shown, count):
    """Windows of which the first shows one label in its own late logit, and another one only in that of the first."""
    parts = [chance.normal(-3, 1.5, (count, len(LABELS))) for _ in range(3)]
    if is_shown:
        parts[0][0, SHOWN] = chance.normal(2, 1)
    return combination.Windows(*parts)


@pytest.fixture(scope="module")
def fitted():
    """Texts of three suites, which of them hold both labels, and the fit."""
    chance = numpy.random.default_rng(1)
    texts = [readings(chance, place % 2 == 1, int(chance.integers(1, 12))) for place in range(400)]
    holds = numpy.zeros((400, len(LABELS)), bool)
    holds[1::2, [SHOWN, ELSEWHERE]] = True
    suites = numpy.array([f"suite{place % 3}" for place in range(400)])
    return texts, holds, combination.fitted(texts, holds, numpy.ones_like(holds), suites)


def test_the_combination_learns_which_input_separates_texts(fitted):
    texts, holds, found = fitted
    scores = numpy.stack([found.text(text) for text in texts])
    for place in (SHOWN, ELSEWHERE):
        assert measures.auc(scores[:, place], holds[:, place]) > 0.9


def test_a_label_never_falls_with_its_own_inputs(fitted):
    found = fitted[2]
    for place in (SHOWN, ELSEWHERE):
        assert all(found.late[place, place + block * len(LABELS)] >= 0 for block in range(3))


def test_a_label_that_holds_for_no_text_is_left_to_the_classifier_beside(fitted):
    texts, _, found = fitted
    assert not found.reads_on()[0] and found.reads_on()[SHOWN]
    assert numpy.allclose(found.late_logits(texts[0])[:, 0], texts[0].beside[:, 0])


def test_the_pull_is_chosen_by_suites_that_were_left_out(fitted):
    texts, holds, _ = fitted
    inputs = [text.inputs(True) for text in texts]
    scale = combination.Scale.of(inputs)
    suites = numpy.array([f"suite{place % 3}" for place in range(400)])
    some = combination.Texts([scale.apply(text) for text in inputs], holds[:, ELSEWHERE], suites)
    assert combination.best_pull(some, ELSEWHERE, 0.01, 8) is not None


def test_a_window_leaves_early_by_the_labels_that_the_upper_layers_concern():
    windows = combination.Windows(numpy.full((2, len(LABELS)), 5.0), numpy.repeat([[-4.0], [1.0]], len(LABELS), 1), numpy.full((2, len(LABELS)), 7.0))
    combined = combination.highest()
    combined.exit_below = 0.0
    combined.without(1)
    assert combined.logits(windows)[:, 0].tolist() == [-4.0, 5.0]
    assert combined.logits(windows)[:, 1].tolist() == [7.0, 7.0]


def test_a_combination_is_read_as_it_was_written(tmp_path):
    chance = numpy.random.default_rng(3)
    some = lambda blocks: chance.normal(0, 1, (len(LABELS), blocks * len(LABELS) + 1)).round(3)
    combined = combination.Combination(some(2), some(3), -3.0)
    combined.write(tmp_path / "combination.json")
    again = combination.read(tmp_path / "combination.json")
    assert numpy.array_equal(again.early, combined.early) and numpy.array_equal(again.late, combined.late)
    assert again.exit_below == -3.0


def test_a_report_has_every_part(cache, tokenizer):
    evaluation = evaluate.Evaluation(model.pretrained(cache, layers=2, exit=1), tokenizer)
    injection = bits(("prompt_injection",))
    harmless = [Row(f"the weather of day {n} is fair and mild", 0, EVERY, 5, "user", "benign_oasst") for n in range(6)]
    attacks = [Row(f"forget rule {n}", injection, EVERY & ~injection, 5, "user", "inj_x") for n in range(3)]
    named = [Row("ask Anna", 0, 0, 5, "user", "pii_x", ((4, 8, "PERSON"),))]
    suites = [evaluation.suite(rows[0].source, rows) for rows in (harmless, attacks, named)]
    figures = evaluate.report(evaluation, suites)
    assert figures["harmless_by_length"]["<150"]["rows"] == 6
    assert set(figures["diluted"]) == {f"{length} {where}" for length in evaluate.DILUTIONS for where in ("before", "after")}
    assert sum(line["flagged"] for line in figures["harmless_by_length"].values()) <= 1
    assert figures["entities"]["PERSON"]["pieces"] > 0
    assert "prompt_injection" in evaluate.markdown(figures)
