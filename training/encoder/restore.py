"""Reads what is shipped as ONNX back into weights, so that a fine-tuning can go on from what is shipped."""

import re
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from model import POSITIONS, WIDTH, Encoder

# The products of a layer, in the order in which the quantiser meets them.
PRODUCTS = ("shown", "asked", "attended", "inner", "outer")
# What keeps its name.
NAMED = ("norm", "layers", "head", "early")


def restored(folder: Path) -> Encoder:
    """The encoder of the folder. Eight bits a weight were rounded once: what they lost stays lost."""
    first, rest = (arrays(folder / name) for name in ("first.onnx", "rest.onnx"))
    named = first | {further(name): array for name, array in rest.items()}
    state = {name: torch.tensor(array) for name, array in named.items() if name.startswith(NAMED)}
    state["words.weight"] = torch.tensor(first["words"].astype(np.float32) * first["scales"])
    # Places beyond those shipped are never met.
    state["places.weight"] = torch.zeros(POSITIONS, WIDTH)
    state["places.weight"][: len(first["places"])] = torch.tensor(first["places"])
    products = [product for given in (first, rest) for product in quantized(given)]
    for rank, weights in enumerate(products):
        layer, product = divmod(rank, len(PRODUCTS))
        state[f"layers.{layer}.{PRODUCTS[product]}.weight"] = torch.tensor(weights.T)
    # Products that stayed in 32 bits have lost their names, and no two of them are of one shape.
    encoder = Encoder(len(products) // len(PRODUCTS))
    for name, given in (("early.inner", first), ("early.outer", first), ("head", rest)):
        rows, columns = encoder.get_parameter(f"{name}.weight").shape
        state[f"{name}.weight"] = torch.tensor(next(one for one in given.values() if one.shape == (columns, rows)).T)
    encoder.load_state_dict(state)
    return encoder


def further(name: str) -> str:
    """The second file counts its layers from 0, and the first has one."""
    return re.sub(r"^layers\.(\d+)", lambda found: f"layers.{int(found[1]) + 1}", name)


def arrays(path: Path) -> dict[str, np.ndarray]:
    return {one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}


def quantized(given: dict[str, np.ndarray]) -> list[np.ndarray]:
    """The products' weights, in the order in which the quantiser met them."""
    names = [name.removesuffix("_quantized") for name in given if name.endswith("_quantized")]
    return [given[f"{name}_quantized"].astype(np.float32) * given[f"{name}_scale"] for name in names]
