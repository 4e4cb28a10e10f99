"""Writes the encoder as ONNX in eight bits: what the service reads."""

import argparse
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from model import HEADS, LABELS, WIDTH, Encoder, Layer, loaded

OPSET = 18


class Single(nn.Module):
    """One text, so that nothing is padded; word vectors in eight bits with a scale for each word."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        words = encoder.words.weight.detach()
        scales = words.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127.0
        self.register_buffer("words", torch.round(words / scales).to(torch.int8))
        self.register_buffer("scales", scales)
        self.register_buffer("places", encoder.places.weight.detach()[:128].clone())
        self.norm, self.layers, self.head = encoder.norm, encoder.layers, encoder.head

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        vectors = nn.functional.embedding(ids, self.words).to(torch.float32) * nn.functional.embedding(ids, self.scales)
        states = self.norm(vectors + self.places[: ids.shape[1]])
        for layer in self.layers:
            states = read(layer, states)
        # Not the layer itself: the quantiser would turn its `Gemm` into a product with stale shapes.
        return torch.cat([states.mean(1), states.amax(1)], 1) @ self.head.weight.T + self.head.bias


def read(layer: Layer, states: torch.Tensor) -> torch.Tensor:
    """The layer's work for texts of one length."""
    length = states.shape[1]
    mixed = layer.mixed(states).view(1, length, 3, HEADS, WIDTH // HEADS)
    query, key, value = mixed.permute(2, 0, 3, 1, 4)
    shares = torch.softmax(query @ key.transpose(2, 3) * (WIDTH // HEADS) ** -0.5, -1)
    seen = (shares @ value).transpose(1, 2).reshape(1, length, WIDTH)
    states = layer.attended_norm(states + layer.attended(seen))
    return layer.outer_norm(states + layer.outer(nn.functional.gelu(layer.inner(states))))


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--weights", type=Path, required=True, help="what train.py wrote")
    said.add_argument("--out", type=Path, required=True, help="the ONNX file")
    how = said.parse_args()
    single = Single(loaded(how.weights)).eval()
    # Attention's own products have two computed sides, and the head is small: both stay in 32 bits.
    whole = how.out.with_suffix(".whole.onnx")
    length = torch.export.Dim("length", min=2, max=128)
    program = torch.onnx.export(
        single, (torch.randint(1000, 2000, (1, 9)),), dynamo=True, opset_version=OPSET,
        input_names=["ids"], output_names=["logits"], dynamic_shapes={"ids": {1: length}},
    )
    program.save(whole)
    products = [node.name for node in onnx.load(whole).graph.node if node.op_type == "MatMul"]
    quantize_dynamic(
        whole, how.out, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
        nodes_to_exclude=products[-1:],
    )
    whole.unlink()
    print(f"{how.out}: {how.out.stat().st_size} bytes, {len(LABELS)} labels")


if __name__ == "__main__":
    main()
