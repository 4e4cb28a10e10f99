"""Reads shards and puts windows of like length together."""

import random
from dataclasses import dataclass
from pathlib import Path

import numpy
import torch
from torch import Tensor

from labels import LABELS, UNKNOWN
from windows import BEGIN, END

PAD = 1
POOL = 2_048
"""Examples that are sorted by length together."""


@dataclass
class Batch:
    """Windows as tensors. `holds` and `known` are (windows, labels), `tags` is (windows, pieces)."""

    ids: Tensor
    mask: Tensor
    role: Tensor
    holds: Tensor
    known: Tensor
    lang: Tensor
    tags: Tensor

    def to(self, device: torch.device) -> "Batch":
        return Batch(*(part.to(device) for part in vars(self).values()))


class Shard:
    """The windows of a file."""

    def __init__(self, path: Path) -> None:
        with numpy.load(path) as file:
            self.parts = {name: file[name] for name in file.files}
        self.starts = numpy.concatenate([[0], self.parts["ends"][:-1]]).astype(int)
        self.lengths = self.parts["ends"].astype(int) - self.starts

    def __len__(self) -> int:
        return len(self.lengths)

    def batch(self, places: list[int]) -> Batch:
        """These windows, padded to the longest."""
        longest = int(self.lengths[places].max()) + 2
        ids = numpy.full((len(places), longest), PAD, numpy.int64)
        tags = numpy.full((len(places), longest), UNKNOWN, numpy.int64)
        for row, place in enumerate(places):
            start, length = self.starts[place], self.lengths[place]
            ids[row, 0], ids[row, length + 1] = BEGIN, END
            ids[row, 1 : length + 1] = self.parts["ids"][start : start + length]
            tags[row, 1 : length + 1] = self.parts["tags"][start : start + length]
        bit = numpy.arange(len(LABELS))
        unpacked = lambda name: torch.from_numpy((self.parts[name][places][:, None].astype(int) >> bit & 1).astype(numpy.float32))
        whole = lambda name: torch.from_numpy(self.parts[name][places].astype(numpy.int64))
        ids = torch.from_numpy(ids)
        return Batch(ids, ids != PAD, whole("role"), unpacked("holds"), unpacked("known"), whole("lang"), torch.from_numpy(tags))

    def order(self, tokens: int, seed: str) -> list[list[int]]:
        """All windows in batches of at most `tokens` pieces with padding, in an order that depends on the seed."""
        chance = random.Random(seed)
        places = list(range(len(self)))
        chance.shuffle(places)
        found = []
        for start in range(0, len(places), POOL):
            pool = sorted(places[start : start + POOL], key=lambda place: int(self.lengths[place]))
            batch: list[int] = []
            for place in pool:
                if batch and (len(batch) + 1) * (int(self.lengths[place]) + 2) > tokens:
                    found.append(batch)
                    batch = []
                batch.append(place)
            found.append(batch)
        chance.shuffle(found)
        return found


def subset(shard: Shard, places: list[int]) -> dict[str, numpy.ndarray]:
    """The parts of a shard that holds these windows alone."""
    pick = lambda name: numpy.concatenate([shard.parts[name][shard.starts[place] : shard.starts[place] + shard.lengths[place]] for place in places])
    parts = {name: shard.parts[name][places] for name in ("role", "holds", "known", "lang")}
    return parts | {"ids": pick("ids"), "tags": pick("tags"), "ends": numpy.cumsum(shard.lengths[places]).astype(numpy.uint32)}


def joined(one: dict[str, numpy.ndarray], two: dict[str, numpy.ndarray]) -> dict[str, numpy.ndarray]:
    """The windows of both."""
    parts = {name: numpy.concatenate([one[name], two[name]]) for name in one}
    return parts | {"ends": numpy.concatenate([one["ends"], two["ends"] + one["ends"][-1]])}


def strongest(shard: Shard, logits: numpy.ndarray) -> tuple[list[int], dict[int, int]]:
    """For each text and each of its labels the window with the highest logit: their places, and the labels that each shows."""
    shown: dict[int, int] = {}
    for group in numpy.unique(shard.parts["group"]):
        places = numpy.flatnonzero(shard.parts["group"] == group)
        for label in range(len(LABELS)):
            if shard.parts["holds"][places[0]] >> label & 1:
                best = int(places[logits[places, label].argmax()])
                shown[best] = shown.get(best, 0) | 1 << label
    return sorted(shown), shown
