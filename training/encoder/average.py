"""Averages the weights of fine-tunings that began alike: what one run forgot, another still knows.

M. Wortsman et al., "Model soups: averaging weights of multiple fine-tuned models improves accuracy without increasing
inference time", https://arxiv.org/abs/2203.05482.
"""

import argparse
from pathlib import Path

import torch

from restore import known


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("weights", type=Path, nargs="+", help="weights of runs, or the file that was shipped")
    said.add_argument("--out", type=Path, required=True, help="the file of weights that is written")
    how = said.parse_args()
    states = [known(path).state_dict() for path in how.weights]
    torch.save({name: sum(state[name] for state in states) / len(states) for name in states[0]}, how.out)


if __name__ == "__main__":
    main()
