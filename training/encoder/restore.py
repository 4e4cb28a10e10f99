"""Reads what is shipped back into weights, so that a fine-tuning can go on from it."""

from pathlib import Path

import torch
from safetensors.torch import load_file

from export import PRODUCTS
from model import POSITIONS, WIDTH, Encoder, loaded


def restored(file: Path) -> Encoder:
    """The encoder of the file. Eight bits a weight were rounded once: what they lost stays lost."""
    given = load_file(file)
    words = given.pop("words.weight") * given.pop("words.scales")[:, None]
    # Places beyond those shipped are never met.
    places = torch.zeros(POSITIONS, WIDTH)
    known = given.pop("places")
    places[: len(known)] = known
    state = {"words.weight": words, "places.weight": places}
    for name, tensor in given.items():
        part, _, kind = name.rpartition(".")
        if kind == "scales":
            continue
        if part.endswith((*PRODUCTS, "head")) and kind == "weight":
            tensor = (tensor * given.get(f"{part}.scales", 1.0)).T
        state[name] = tensor
    encoder = Encoder(1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers.")))
    encoder.load_state_dict(state)
    return encoder


def known(file: Path) -> Encoder:
    """The encoder of what train.py wrote, or of what is shipped."""
    return restored(file) if file.suffix == ".safetensors" else loaded(file)
