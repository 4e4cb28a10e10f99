"""Averages the weights of fine-tunings that began alike: what one run forgot, another still knows.

M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without increasing
inference time", https://arxiv.org/abs/2203.05482.
"""

import argparse
from pathlib import Path

import torch

from model import Encoder, loaded
from restore import restored


def read(path: Path) -> Encoder:
    return restored(path) if path.is_dir() else loaded(path)


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("weights", type=Path, nargs="+", help="weights of runs, or the folder that was shipped")
    said.add_argument("--out", type=Path, required=True, help="the file of weights that is written")
    how = said.parse_args()
    states = [read(path).state_dict() for path in how.weights]
    torch.save({name: sum(state[name] for state in states) / len(states) for name in states[0]}, how.out)


if __name__ == "__main__":
    main()
