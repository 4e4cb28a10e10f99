"""Reads the shipped ONNX back into weights, so that a fine-tuning can go on from what is shipped."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from model import POSITIONS, WIDTH, Encoder

# The products of a layer, in the order in which the quantiser meets them.
PRODUCTS = ("mixed", "attended", "inner", "outer")


def restored(path: Path) -> Encoder:
    """The encoder of the file. Eight bits a weight were rounded once: what they lost stays lost."""
    given = {one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}
    state = {name: torch.tensor(array) for name, array in given.items() if name.startswith(("norm", "layers", "head"))}
    state["words.weight"] = torch.tensor(given["words"].astype(np.float32) * given["scales"])
    # Places beyond those shipped are never met.
    state["places.weight"] = torch.zeros(POSITIONS, WIDTH)
    state["places.weight"][: len(given["places"])] = torch.tensor(given["places"])
    products = [name.removesuffix("_quantized") for name in given if name.endswith("_quantized")]
    for rank, name in enumerate(products):
        layer, product = divmod(rank, len(PRODUCTS))
        weights = given[f"{name}_quantized"].astype(np.float32) * given[f"{name}_scale"]
        state[f"layers.{layer}.{PRODUCTS[product]}.weight"] = torch.tensor(weights.T)
    head = next(array for array in given.values() if array.shape == (2 * WIDTH, len(state["head.bias"])))
    state["head.weight"] = torch.tensor(head.T)
    encoder = Encoder(len(products) // len(PRODUCTS))
    encoder.load_state_dict(state)
    return encoder
