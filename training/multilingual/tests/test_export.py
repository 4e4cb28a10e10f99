import numpy
import torch
from tokenizers import Tokenizer

import document
import evaluate
import export
import model
from labels import EVERY, LABELS, bits
from rows import Row


def test_an_exported_model_says_what_the_trained_one_says(cache, tmp_path):
    encoder = model.pretrained(cache, layers=2, exit=1).eval()
    export.write(encoder, Tokenizer.from_file(str(cache / "tokenizer.json")), document.HIGHEST, export.NEVER, tmp_path / "out.safetensors")
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


def test_the_combination_learns_that_many_windows_raise_the_highest_score():
    chance = numpy.random.default_rng(1)
    texts, truth = [], []
    for place in range(600):
        logits = chance.normal(-3, 1.5, (int(chance.integers(1, 80)), len(LABELS)))
        if place % 2:
            logits[0] = chance.normal(1.5, 1, len(LABELS))
        texts.append(logits)
        truth.append([bool(place % 2)] * len(LABELS))
    holds = numpy.array(truth)
    found = document.fitted(texts, ["user"] * len(texts), holds, numpy.ones_like(holds))
    assert all(highest > 0 > count for highest, _, count in found.weights)


def test_a_report_has_every_part(cache, tokenizer):
    evaluation = evaluate.Evaluation(model.pretrained(cache, layers=2, exit=1), tokenizer, document.HIGHEST)
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
