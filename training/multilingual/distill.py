"""What the base model says about pieces at full resolution, which the encoder on merged pieces learns to say as well.

The layers of the base model expect pieces, not groups of them. A few examples with labels do not teach them otherwise, in the
languages that these examples lack least of all; the states of the base model do, in every language and for every group.
"""

from pathlib import Path

import torch
from torch import Tensor

import model
from model import Encoder

MEMORY = 0.99
"""How slowly the measured spread of the states follows a batch."""


class Teacher:
    """The base model, and the layers whose states are learnt."""

    def __init__(self, cache: Path, student: Encoder, depths: tuple[int, ...], device: torch.device) -> None:
        self.depths, self.stride = depths, student.shape.stride
        whole = model.pretrained(cache, layers=max(depths), lower=0, exit=0, stride=student.shape.stride)
        self.encoder = whole.to(device).eval().requires_grad_(False)
        self.spread: dict[int, Tensor] = {}

    @torch.no_grad()
    def states(self, ids: Tensor, mask: Tensor) -> dict[int, Tensor]:
        """The mean state of each group of pieces behind each layer that is learnt."""
        encoder = self.encoder
        states = encoder.norm(encoder.words(ids) + encoder.positions(torch.arange(ids.shape[1], device=ids.device)))
        found = {}
        for depth, layer in enumerate(encoder.layers, 1):
            states = layer(states, mask)
            if depth in self.depths:
                found[depth] = grouped(states, mask, self.stride)
        return found

    def loss(self, ids: Tensor, mask: Tensor, learnt: dict[int, Tensor], there: Tensor) -> Tensor:
        """How far the encoder's states are from these, in units of their spread."""
        total = torch.zeros((), device=ids.device)
        for depth, target in self.states(ids, mask).items():
            target, own = target[there], learnt[depth][there]
            spread = target.std(0)
            self.spread[depth] = spread if depth not in self.spread else MEMORY * self.spread[depth] + (1 - MEMORY) * spread
            total = total + ((own - target) / (self.spread[depth] + 1e-3)).pow(2).mean()
        return total / len(self.depths)


def grouped(states: Tensor, mask: Tensor, stride: int) -> Tensor:
    """The mean of the states of each group of pieces."""
    missing = -states.shape[1] % stride
    states = torch.nn.functional.pad(states * mask[..., None], (0, 0, 0, missing)).unflatten(1, (-1, stride)).sum(2)
    count = torch.nn.functional.pad(mask, (0, missing)).unflatten(1, (-1, stride)).sum(2)
    return states / count.clamp(min=1)[..., None]
