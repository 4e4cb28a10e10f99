"""A quick look at the development suites while training runs: the area under the curve of each guardrail."""

from pathlib import Path

import numpy
import torch
from tokenizers import Tokenizer

from labels import LABELS, ROLES
from measures import auc
from model import Encoder
from rows import Row, files, lines, row_of
from windows import BEGIN, CONTENT, END

EACH = 16
"""Rows of a suite."""


def sample(folder: Path, cache: Path) -> list[tuple[Row, list[int]]]:
    """Some rows of each suite, evenly spread, with the pieces of their first window."""
    tokenizer = Tokenizer.from_file(str(cache / "tokenizer.json"))
    found = []
    for path in files(folder):
        suite = list(lines(path))
        for raw in suite[:: max(1, len(suite) // EACH)][:EACH]:
            if "spans" not in raw:
                row = row_of(raw, path.name.split(".")[0])
                found.append((row, tokenizer.encode(row.text).ids[:CONTENT]))
    return sorted(found, key=lambda one: len(one[1]))


@torch.no_grad()
def areas(encoder: Encoder, rows: list[tuple[Row, list[int]]], device: torch.device) -> dict[str, float]:
    """The area under the curve of each guardrail, and their mean, over rows of all suites."""
    scores = []
    for start in range(0, len(rows), 32):
        some = rows[start : start + 32]
        longest = max(len(ids) for _, ids in some) + 2
        ids = torch.ones(len(some), longest, dtype=torch.long)
        for place, (_, own) in enumerate(some):
            ids[place, : len(own) + 2] = torch.tensor([BEGIN, *own, END])
        role = torch.tensor([ROLES.index(row.role) for row, _ in some])
        scores.append(encoder(ids.to(device), (ids != 1).to(device), role.to(device)).late.cpu().numpy())
    logits = numpy.concatenate(scores)
    found = {}
    for place, name in enumerate(LABELS):
        known = numpy.array([bool((row.holds | row.absent) >> place & 1) for row, _ in rows])
        holds = numpy.array([bool(row.holds >> place & 1) for row, _ in rows])
        area = auc(logits[known, place], holds[known])
        if area is not None:
            found[name] = round(area, 4)
    return found | {"mean": round(float(numpy.mean(list(found.values()))), 4)}
