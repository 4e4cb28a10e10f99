"""Compares the scores of the Rust engine with those of this code, and both by their area under the curve.

    cargo run --release -p guardengine-training -- multilingual --weights F --data DIR --each 6 --scores scores.jsonl
    training/multilingual/run compare.py --weights F --scores scores.jsonl
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy
import torch
from tokenizers import Tokenizer

import export
from labels import LABELS
from scoring import score


def chances(logits: numpy.ndarray) -> numpy.ndarray:
    return 1 / (1 + numpy.exp(-logits))


def main() -> None:
    known = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known.add_argument("--cache", type=Path, required=True)
    known.add_argument("--weights", type=Path, required=True, help="the exported file")
    known.add_argument("--scores", type=Path, required=True, help="what the engine wrote")
    known.add_argument("--threads", type=int, default=1)
    given = known.parse_args()
    torch.set_num_threads(given.threads)
    encoder = export.read(given.weights).eval()
    tokenizer = Tokenizer.from_file(str(given.cache / "tokenizer.json"))
    differences, cut_otherwise, languages = defaultdict(list), [], 0
    lines = [json.loads(line) for line in given.scores.open()]
    for line in lines:
        own = score(encoder, tokenizer, [line["text"]], [line["role"]])[0]
        languages += own.language == line["language"]
        theirs = numpy.array(line["logits"])
        ours = own.late
        if tokenizer.encode(line["text"]).ids != line["ids"] or theirs.shape != ours.shape:
            cut_otherwise.append(line["text"])
            continue
        differences["logits"].append(numpy.abs(theirs - ours).ravel())
        differences["chances"].append(numpy.abs(chances(theirs) - chances(ours)).ravel())
    print(f"{len(lines)} texts, {len(cut_otherwise)} cut otherwise, {languages} with the same language")
    for text in cut_otherwise:
        print(f"  cut otherwise: {text[:200]!r}")
    for name, parts in differences.items():
        found = numpy.concatenate(parts)
        shares = ", ".join(f"{share} % below {numpy.percentile(found, share):.4f}" for share in (50, 95, 99))
        print(f"{name}: mean difference {found.mean():.4f}, {shares}, highest {found.max():.4f}")
    highest = numpy.concatenate([part.reshape(-1, len(LABELS)) for part in differences["chances"]]).max(0)
    print(", ".join(f"{label} {value:.4f}" for label, value in zip(LABELS, highest)))


if __name__ == "__main__":
    main()
