#!/usr/bin/env python3
"""Writes harmless code and technical prose, a text a line: pieces of the crates that Cargo.lock names.

Their licences are permissive (`cargo deny` holds them to it), and `cargo fetch` has brought their sources. Which pieces are
taken depends on the crates alone: python3 training/technical.py > DIR/technical.jsonl
"""

import json
import os
import random
import sys
import tomllib
from pathlib import Path

KINDS = ("README*", "CHANGELOG*", "Cargo.toml.orig", "src/**/*.rs", "examples/**/*.rs", "tests/**/*.rs", "benches/**/*.rs", "docs/**/*.md", "build.rs")
LENGTHS = (250, 450, 600, 900, 1_500, 2_500)
"""Characters of a piece."""
OF_A_KIND = 2
"""Pieces of a crate and kind at most."""
SHORTEST = 120


def pieces(crate: Path, chance: random.Random):
    for kind in KINDS:
        files = sorted(path for path in crate.glob(kind) if path.is_file())
        for path in chance.sample(files, min(OF_A_KIND, len(files))):
            text = path.read_text(encoding="utf-8", errors="ignore")
            length = chance.choice(LENGTHS)
            start = chance.randrange(max(1, len(text) - length))
            # Whole lines, as people paste them.
            piece = text[start : start + length].partition("\n")[2] if start else text[:length]
            if len(piece.strip()) >= SHORTEST:
                yield piece.strip("\n")


def main() -> None:
    sources = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry/src"
    root = Path(__file__).resolve().parent.parent
    packages = tomllib.loads((root / "Cargo.lock").read_text())["package"]
    for package in packages:
        for crate in sources.glob(f"*/{package['name']}-{package['version']}"):
            chance = random.Random(crate.name)
            for piece in pieces(crate, chance):
                role = chance.choice(("user", "document"))
                row = {"text": piece, "labels": [], "negatives": "all", "lang": "en", "role": role}
                json.dump(row, sys.stdout, ensure_ascii=False)
                print()


if __name__ == "__main__":
    main()
