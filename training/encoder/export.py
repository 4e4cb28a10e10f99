"""Writes the encoder in eight bits as safetensors: what the service reads."""

import argparse
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

from model import Encoder, Layer, loaded

# Pieces of the longest text.
LONGEST = 128
# The products of a layer that are written in eight bits; the small ones of the heads stay in 32.
PRODUCTS = ("asked", "shown", "attended", "inner", "outer")


def in_bytes(weights: torch.Tensor, across: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Signed bytes, and what a step is worth in each line along `across`."""
    scales = weights.abs().amax(across, keepdim=True).clamp(min=1e-8) / 127.0
    return torch.round(weights / scales).to(torch.int8), scales.squeeze(across)


def dense(name: str, of: nn.Linear) -> dict[str, torch.Tensor]:
    """Weights as rows of what goes in by columns of what comes out."""
    return {f"{name}.weight": of.weight.T, f"{name}.bias": of.bias}


def product(name: str, of: nn.Linear) -> dict[str, torch.Tensor]:
    weights, scales = in_bytes(of.weight.T, 0)
    return {f"{name}.weight": weights, f"{name}.scales": scales, f"{name}.bias": of.bias}


def norm(name: str, of: nn.LayerNorm) -> dict[str, torch.Tensor]:
    return {f"{name}.weight": of.weight, f"{name}.bias": of.bias}


def layer(name: str, of: Layer) -> dict[str, torch.Tensor]:
    tensors = {}
    for part in PRODUCTS:
        tensors |= product(f"{name}.{part}", getattr(of, part))
    for part in ("attended_norm", "outer_norm"):
        tensors |= norm(f"{name}.{part}", getattr(of, part))
    return tensors


def tensors(encoder: Encoder) -> dict[str, torch.Tensor]:
    """All that is written, by name."""
    words, scales = in_bytes(encoder.words.weight, 1)
    written = {"words.weight": words, "words.scales": scales, "places": encoder.places.weight[:LONGEST]}
    written |= norm("norm", encoder.norm)
    for number, of in enumerate(encoder.layers):
        written |= layer(f"layers.{number}", of)
    written |= dense("early.inner", encoder.early.inner) | dense("early.outer", encoder.early.outer)
    return written | dense("head", encoder.head)


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--weights", type=Path, required=True, help="what train.py wrote")
    said.add_argument("--out", type=Path, required=True, help="the file that is written")
    how = said.parse_args()
    written = {name: of.detach().contiguous() for name, of in tensors(loaded(how.weights)).items()}
    save_file(written, how.out)
    print(f"{how.out}: {how.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
