#!/usr/bin/env python3
"""Writes harmless code and technical prose, a text a line: pieces of the crates that Cargo.lock names, and of the Python
packages that the encoder's training installs.

Licences of both are permissive (`cargo deny` holds the crates to it), and `cargo fetch` has brought the crates' sources.
Which pieces are taken depends on the sources alone: python3 training/technical.py [SITE_PACKAGES] > DIR/technical.jsonl
"""

import json
import os
import random
import sys
import tomllib
from pathlib import Path

KINDS = ("README*", "CHANGELOG*", "Cargo.toml.orig", "src/**/*.rs", "examples/**/*.rs", "tests/**/*.rs", "benches/**/*.rs", "docs/**/*.md", "build.rs")
PYTHON = (
    "anyio", "click", "fsspec", "huggingface_hub", "jinja2", "joblib", "mpmath", "narwhals", "networkx", "numpy", "pydantic", "rich",
    "scipy", "sentence_transformers", "sklearn", "sympy", "torch", "tqdm", "transformers", "typer", "yaml",
)
LENGTHS = (250, 450, 600, 900, 1_500, 2_500)
"""Characters of a piece."""
OF_A_KIND = 2
"""Pieces of a crate and kind at most."""
OF_A_PACKAGE = 80
"""Pieces of a Python package at most."""
SHORTEST = 120


def pieces(crate: Path, chance: random.Random):
    for kind in KINDS:
        files = sorted(path for path in crate.glob(kind) if path.is_file())
        for path in chance.sample(files, min(OF_A_KIND, len(files))):
            yield from piece(path, chance)


def of_package(package: Path, chance: random.Random):
    files = sorted(path for path in package.rglob("*") if path.suffix in {".py", ".md", ".rst", ".txt"})
    for path in chance.sample(files, min(OF_A_PACKAGE, len(files))):
        yield from piece(path, chance)


def piece(path: Path, chance: random.Random):
    text = path.read_text(encoding="utf-8", errors="ignore")
    length = chance.choice(LENGTHS)
    start = chance.randrange(max(1, len(text) - length))
    # Whole lines, as people paste them.
    piece = text[start : start + length].partition("\n")[2] if start else text[:length]
    if len(piece.strip()) >= SHORTEST:
        yield piece.strip("\n")


def write(pieces, chance: random.Random) -> None:
    for piece in pieces:
        role = chance.choice(("user", "document"))
        row = {"text": piece, "labels": [], "negatives": "all", "lang": "en", "role": role}
        json.dump(row, sys.stdout, ensure_ascii=False)
        print()


def main() -> None:
    sources = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry/src"
    root = Path(__file__).resolve().parent.parent
    packages = tomllib.loads((root / "Cargo.lock").read_text())["package"]
    for package in packages:
        for crate in sources.glob(f"*/{package['name']}-{package['version']}"):
            chance = random.Random(crate.name)
            write(pieces(crate, chance), chance)
    for package in PYTHON if sys.argv[1:] else ():
        chance = random.Random(package)
        write(of_package(Path(sys.argv[1]) / package, chance), chance)


if __name__ == "__main__":
    main()
