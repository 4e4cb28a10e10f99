import numpy
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


def readings(chance, is_shown, count):
    """Windows of which the first shows every label in the late logits and, less surely, beside them."""
    parts = [chance.normal(-3, 1.5, (count, len(LABELS))) for _ in range(3)]
    if is_shown:
        parts[0][0], parts[2][0] = chance.normal(2, 1, len(LABELS)), chance.normal(0, 1.5, len(LABELS))
    return combination.Windows(*parts)


def test_the_combination_learns_which_input_separates_texts_and_never_lowers_a_score():
    chance = numpy.random.default_rng(1)
    texts = [readings(chance, place % 2 == 1, int(chance.integers(1, 30))) for place in range(400)]
    holds = numpy.array([[place % 2 == 1] * len(LABELS) for place in range(400)])
    found = combination.fitted(texts, holds, numpy.ones_like(holds))
    assert all(late > beside >= 0 and early >= 0 for late, early, beside, _ in found.late)
    scores = numpy.array([found.text(text)[0] for text in texts])
    assert measures.auc(scores, holds[:, 0]) > 0.9


def test_a_window_that_leaves_early_has_the_early_logits():
    windows = combination.Windows(numpy.full((2, len(LABELS)), 5.0), numpy.repeat([[-4.0], [1.0]], len(LABELS), 1), numpy.zeros((2, len(LABELS))))
    combined = combination.Combination([[1.0, 0.0, 0.0]] * len(LABELS), [[1.0, 0.0, 0.0, 0.0]] * len(LABELS), 0.0)
    assert combined.logits(windows)[:, 0].tolist() == [-4.0, 5.0]


def test_a_combination_is_read_as_it_was_written(tmp_path):
    lines = lambda factors: [[*factors, float(place)] for place in range(len(LABELS))]
    combined = combination.Combination(lines([0.7, 0.2]), lines([0.5, 0.25, 0.125]), -3.0)
    combined.write(tmp_path / "combination.json")
    assert combination.read(tmp_path / "combination.json") == combined


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
