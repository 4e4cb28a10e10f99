import json
import sys

import numpy
import torch

import batches
import container
import distill
import examples
import measures
import model
import train
from tests.conftest import blocks


def test_embeddings_in_the_model_are_those_of_the_container(cache):
    encoder = model.pretrained(cache, layers=2, exit=1)
    rows = encoder.words.blocks.numpy().reshape(-1, container.BLOCK_BYTES)
    plain = container.dequantised(rows, 384)
    assert torch.allclose(encoder.words(torch.tensor([[3, 9]])), torch.from_numpy(plain[[3, 9]])[None])


def test_dequantised_weights_lie_within_eight_steps():
    given = blocks(4, 64, 1)
    scales = numpy.ascontiguousarray(given[:, :2]).view(numpy.float16).astype(numpy.float32)
    assert numpy.abs(container.dequantised(given, 64)).max() <= 8 * scales.max()


def test_padding_changes_no_score(cache):
    encoder = model.pretrained(cache, layers=2, exit=1).eval()
    ids = torch.randint(4, 40, (1, 9))
    padded = torch.cat([ids, torch.ones(1, 6, dtype=torch.long)], 1)
    role = torch.zeros(1, dtype=torch.long)
    alone, among = encoder(ids, torch.ones_like(ids, dtype=torch.bool), role), encoder(padded, padded != 1, role)
    assert torch.allclose(alone.late, among.late, atol=1e-4) and torch.allclose(alone.early, among.early, atol=1e-4)


def test_areas_and_recalls():
    scores, holds = numpy.array([0.1, 0.4, 0.4, 0.9]), numpy.array([False, False, True, True])
    assert measures.auc(scores, holds) == 0.875
    assert measures.recall(scores[holds], measures.threshold(scores[~holds], 0.0)) == 0.5
    assert measures.calibration_error(numpy.array([0.05, 0.95]), numpy.array([False, True])) < 0.06


def smoke(monkeypatch, cache, data, *more: str) -> list[dict]:
    arguments = ["train.py", "--smoke", "--cache", str(cache), "--run", "smoke", "--long", "4", "--data", str(data / "train"), str(data / "pii_train"), *more]
    monkeypatch.setattr(sys, "argv", arguments)
    train.main()
    return [json.loads(line) for line in (cache / "runs/smoke/log.jsonl").read_text().splitlines()]


def test_a_run_mines_learns_and_goes_on_where_it_stopped(monkeypatch, cache, data):
    monkeypatch.setattr(train.Run, "share", lambda run: 1.0 if run.progress.seen >= 60 else 0.3)
    first = smoke(monkeypatch, cache, data)
    monkeypatch.undo()
    log = smoke(monkeypatch, cache, data)
    assert first[-1]["done"] and first[-1]["seen"] < log[-1]["seen"]
    assert any("mined" in line for line in log)
    encoder, _ = model.loaded(cache / "runs/smoke/model.pt")
    assert encoder.shape.layers == 2


def test_of_a_long_text_the_window_that_shows_a_label_best_is_learnt(tmp_path):
    windows = [examples.Example([5, 6], 0, 0b101, 0b111, 0, None, group) for group in (0, 0, 1)]
    examples.write(tmp_path / "long.npz", windows)
    logits = numpy.zeros((3, 15), numpy.float32)
    logits[1, 0] = logits[0, 2] = 2.0
    places, shown = batches.strongest(batches.Shard(tmp_path / "long.npz"), logits)
    assert places == [0, 1, 2] and shown == {0: 0b100, 1: 0b001, 2: 0b101}


def test_a_group_has_the_mean_state_of_its_pieces():
    states = torch.arange(12.0).view(1, 6, 2)
    mask = torch.tensor([[True, True, True, True, True, False]])
    assert distill.grouped(states, mask, 4).tolist() == [[[3.0, 4.0], [8.0, 9.0]]]


def test_the_states_of_the_base_model_are_learnt(cache):
    torch.manual_seed(1)
    encoder = model.pretrained(cache, layers=2, exit=1)
    teacher = distill.Teacher(cache, encoder, (1, 2), torch.device("cpu"))
    before = {name: weight.clone() for name, weight in teacher.encoder.state_dict().items()}
    ids = torch.randint(4, 40, (8, 24))
    mask, role = ids > 0, torch.zeros(8, dtype=torch.long)
    optimizer = torch.optim.AdamW(encoder.parameters(), 1e-3)
    found = []
    for _ in range(12):
        output = encoder(ids, mask, role, depths=teacher.depths)
        loss = teacher.loss(ids, mask, output.states, output.there)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    assert found[-1] < 0.7 * found[0]
    assert all(torch.equal(weight, before[name]) for name, weight in teacher.encoder.state_dict().items())
