"""Writes a trained model as one safetensors file for the service. FORMAT.md describes it."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy
from safetensors import safe_open
from safetensors.numpy import save_file
from tokenizers import Tokenizer

import model
import windows
from labels import LABELS, LANGUAGES, ROLES, TAGS

VERSION = 4
TRUNK = ("layers.", "merge.", "tagger.pieces.", "tagger.groups.")
"""Linear layers that are run for every piece or group of pieces."""


def quantised(weights: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Whole numbers from -127 to 127 and a scale for each row, so that weight = number * scale."""
    scales = numpy.maximum(numpy.abs(weights).max(1), 1e-12) / 127
    return numpy.rint(weights / scales[:, None]).astype(numpy.int8), scales.astype(numpy.float32)


def vocabulary(tokenizer: Tokenizer) -> dict[str, numpy.ndarray]:
    """Pieces in the order of their ids, as bytes with their ends, and their scores."""
    pairs = json.loads(tokenizer.to_str())["model"]["vocab"]
    texts = [piece.encode() for piece, _ in pairs]
    return {
        "pieces.text": numpy.frombuffer(b"".join(texts), numpy.uint8),
        "pieces.ends": numpy.cumsum([len(text) for text in texts]).astype(numpy.uint32),
        "pieces.scores": numpy.array([score for _, score in pairs], numpy.float32),
    }


def tensors(encoder: model.Encoder) -> dict[str, numpy.ndarray]:
    """Tensors of the model: linear layers of the trunk in int8, all else as it is."""
    out = {}
    for name, tensor in encoder.state_dict().items():
        values = tensor.cpu().numpy()
        if name == "positions.weight":
            out[name] = values[: windows.LONGEST]
        elif name.startswith(TRUNK) and name.endswith(".weight") and values.ndim == 2:
            out[name], out[name.removesuffix("weight") + "scale"] = quantised(values)
        else:
            out[name] = values
    return {name: numpy.ascontiguousarray(values) for name, values in out.items()}


def config(encoder: model.Encoder) -> dict:
    """Everything besides the tensors that inference needs."""
    stops = {"stops": "".join(sorted(windows.STOPS)), "wide_stops": "".join(sorted(windows.WIDE_STOPS))}
    cut = {"content": windows.CONTENT, "shortest": windows.SHORTEST, "overlap": windows.OVERLAP, "begin": windows.BEGIN, "end": windows.END}
    names = {"labels": LABELS, "roles": ROLES, "languages": LANGUAGES, "tags": TAGS}
    return {"version": VERSION, "shape": asdict(encoder.shape), "windows": cut | stops, **names}


def write(encoder: model.Encoder, tokenizer: Tokenizer, path: Path) -> None:
    """Writes the file."""
    metadata = {"config": json.dumps(config(encoder), ensure_ascii=False)}
    save_file(tensors(encoder) | vocabulary(tokenizer), path, metadata)


def read(path: Path) -> model.Encoder:
    """The encoder of an exported file, with the weights that its whole numbers stand for."""
    with safe_open(path, "numpy") as file:
        shape = model.Shape(**json.loads(file.metadata()["config"])["shape"])
        given = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
    encoder = model.Encoder(shape)
    state = encoder.state_dict()
    for name, tensor in state.items():
        values = given[name]
        if name == "positions.weight":
            values = numpy.concatenate([values, numpy.zeros((shape.positions - len(values), shape.width), numpy.float32)])
        scale = given.get(name.removesuffix("weight") + "scale")
        values = values * scale[:, None] if scale is not None and values.ndim == 2 else values
        state[name] = model.torch.from_numpy(numpy.ascontiguousarray(values)).to(tensor.dtype)
    encoder.load_state_dict(state)
    return encoder


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--model", type=Path, required=True, help="model.pt or checkpoint.pt")
    known.add_argument("--cache", type=Path, required=True)
    known.add_argument("--out", type=Path, required=True)
    given = known.parse_args()
    encoder, _ = model.loaded(given.model)
    write(encoder, Tokenizer.from_file(str(given.cache / "tokenizer.json")), given.out)
    print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
