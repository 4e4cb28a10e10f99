"""Compares the base model with all its pieces and with ours: the cosine of sentence vectors, and the share of equal pieces."""

import argparse
import json
import random
from collections import defaultdict
from pathlib import Path

import numpy
import torch
from tokenizers import Tokenizer

import base
import container
import model
import rows
from labels import LANGUAGES
from windows import BEGIN, CONTENT, END

EACH = 12
"""Texts of a language."""


def whole(given: dict[str, bytes]) -> model.Encoder:
    """The base model with all pieces and layers, without pooling."""
    parsed = container.read(given[base.WEIGHTS])
    tensors = base.tensors_of(parsed, parsed.layers, list(range(250_002)))
    return filled({name: torch.from_numpy(tensor.copy()) for name, tensor in tensors.items()}, parsed.layers)


def filled(state: dict[str, torch.Tensor], layers: int) -> model.Encoder:
    encoder = model.Encoder(model.Shape(pieces=len(state["words"]), layers=layers, lower=layers - 1, exit=layers - 1, stride=1))
    encoder.load_state_dict({("words.blocks" if name == "words" else name): tensor for name, tensor in state.items()}, strict=False)
    torch.nn.init.zeros_(encoder.roles.weight)
    return encoder.eval()


@torch.no_grad()
def vector(encoder: model.Encoder, ids: list[int]) -> torch.Tensor:
    """The mean of the last states."""
    own = torch.tensor([[BEGIN, *ids[:CONTENT], END]])
    return encoder(own, torch.ones_like(own, dtype=torch.bool), torch.zeros(1, dtype=torch.long)).vector[0]


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--data", type=Path, nargs="+", required=True)
    known.add_argument("--cache", type=Path, required=True)
    given = known.parse_args()
    packages = base.downloaded(given.cache)
    spec = json.loads(packages[base.TOKENIZER])
    full, ours = base.tokenizer_of(spec, spec["model"]["vocab"]), Tokenizer.from_file(str(given.cache / "tokenizer.json"))
    old = numpy.load(given.cache / "pieces.npy")
    with model.safe_open(given.cache / "base.safetensors", "pt") as file:
        pruned = filled({name: file.get_tensor(name) for name in file.keys()}, 12)  # noqa: SIM118 (no mapping)
    original = whole(packages)
    texts = defaultdict(list)
    for folder in given.data:
        for row in rows.of_folder(folder):
            texts[row.lang].append(row.text)
    chance = random.Random(1)
    for lang, found in sorted(texts.items()):
        lines = []
        for text in chance.sample(found, min(EACH, len(found))):
            theirs, own = full.encode(text).ids, ours.encode(text).ids
            cosine = torch.cosine_similarity(vector(original, theirs), vector(pruned, own), 0).item()
            lines.append((cosine, theirs == old[own].tolist(), len(own) / max(1, len(theirs))))
        cosines, same, longer = (numpy.array(part, float) for part in zip(*lines))
        alike = cosines[same > 0].min() if same.any() else float("nan")
        print(f"{LANGUAGES[lang] if lang >= 0 else '?'}: mean cosine {cosines.mean():.4f}, lowest {cosines.min():.4f}, equal pieces {same.mean():.2f}, lowest of those {alike:.6f}, pieces {longer.mean():.3f} times as many")


if __name__ == "__main__":
    main()
