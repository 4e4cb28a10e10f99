"""Writes the encoder as ONNX in eight bits, in two files, what comes up to the early exit and the rest: what other runtimes
read. The service does not; its bench can run them beside its own."""

import argparse
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from export import LONGEST
from model import HEADS, WIDTH, Encoder, Layer
from restore import known

OPSET = 18


class First(nn.Module):
    """One text, so that nothing is padded, up to the early exit; word vectors in eight bits with a scale for each word."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        words = encoder.words.weight.detach()
        scales = words.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127.0
        self.register_buffer("words", torch.round(words / scales).to(torch.int8))
        self.register_buffer("scales", scales)
        self.register_buffer("places", encoder.places.weight.detach()[:LONGEST].clone())
        self.norm, self.layers, self.early = encoder.norm, encoder.layers[:1], encoder.early

    def forward(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        vectors = nn.functional.embedding(ids, self.words).to(torch.float32) * nn.functional.embedding(ids, self.scales)
        pieces = self.norm(vectors + self.places[: ids.shape[1]])
        states = read(self.layers[0], paired(pieces), pieces)
        return product(self.early.outer, torch.relu(product(self.early.inner, pooled(states)))), states


class Rest(nn.Module):
    """From where the first part left off."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.layers, self.head = encoder.layers[1:], encoder.head

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            states = read(layer, states, states)
        return product(self.head, pooled(states))


def pooled(states: torch.Tensor) -> torch.Tensor:
    return torch.cat([states.mean(1), states.amax(1)], 1)


def paired(states: torch.Tensor) -> torch.Tensor:
    """The mean of each two neighbours, of a last one without neighbour itself."""
    ones = states[:, 0::2]
    others = torch.cat([states[:, 1::2], states[:, -1:]], 1)[:, : ones.shape[1]]
    return (ones + others) * 0.5


def product(of: nn.Linear, given: torch.Tensor) -> torch.Tensor:
    """Not the layer itself: the quantiser would turn its `Gemm` into a product with stale shapes."""
    return given @ of.weight.T + of.bias


def read(layer: Layer, states: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """The layer's work for texts of one length."""
    key, value = heads(layer.shown(others)).chunk(2, 1)
    shares = torch.softmax(heads(layer.asked(states)) @ key.transpose(2, 3) * (WIDTH // HEADS) ** -0.5, -1)
    seen = (shares @ value).transpose(1, 2).reshape(1, states.shape[1], WIDTH)
    states = layer.attended_norm(states + layer.attended(seen))
    return layer.outer_norm(states + layer.outer(nn.functional.gelu(layer.inner(states))))


def heads(states: torch.Tensor) -> torch.Tensor:
    """Cut among the heads: (1, heads, length, width of one)."""
    return states.view(1, states.shape[1], -1, WIDTH // HEADS).transpose(1, 2)


def export(part: nn.Module, example: torch.Tensor, given: str, outputs: list[str], heads: int, out: Path) -> None:
    """Writes the part; its last `heads` products are small and stay in 32 bits."""
    whole = out.with_suffix(".whole.onnx")
    length = torch.export.Dim("length", min=2, max=LONGEST)
    program = torch.onnx.export(
        part.eval(), (example,), dynamo=True, opset_version=OPSET,
        input_names=[given], output_names=outputs, dynamic_shapes=({1: length},),
    )
    program.save(whole)
    # Attention's own products have two computed sides, which the quantiser leaves alone.
    products = [node.name for node in onnx.load(whole).graph.node if node.op_type == "MatMul"]
    quantize_dynamic(
        whole, out, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
        nodes_to_exclude=products[-heads:],
    )
    whole.unlink()
    print(f"{out}: {out.stat().st_size} bytes")


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--weights", type=Path, required=True, help="what train.py wrote, or the file that is shipped")
    said.add_argument("--out", type=Path, required=True, help="the folder of the ONNX files")
    how = said.parse_args()
    encoder = known(how.weights)
    export(First(encoder), torch.randint(1000, 2000, (1, 9)), "ids", ["early", "states"], 2, how.out / "first.onnx")
    export(Rest(encoder), torch.rand(1, 9, WIDTH), "states", ["logits"], 1, how.out / "rest.onnx")


if __name__ == "__main__":
    main()
