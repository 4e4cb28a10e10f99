"""Teaches the early exit: from the states after the first layer, to say what the whole encoder says.

S. Teerapittayanon et al., "BranchyNet: fast inference via early exiting from deep neural networks",
https://arxiv.org/abs/1709.01686; what is taught is the log-odds of the last layer, not the labels, so that both exits
are weighed alike against the linear model.
"""

import argparse
import json
import random
from pathlib import Path

import torch
from torch.nn import functional

from model import LABELS, Early, Encoder, loaded, pooled
from restore import restored
from train import as_gloss, encoded, glossary, read, tensors, tokenizer_of

BATCH = 64
# Log-odds beyond these are as sure as can be.
SURE = 8.0
PASSES = 30
# Share of the English texts that are read as a gloss.
GLOSSED = 0.15


def states_of(encoder: Encoder, rows: list[dict]) -> tuple[torch.Tensor, torch.Tensor]:
    """What the early exit sees of each text, and what the last layer says of it."""
    seen = torch.zeros(len(rows), encoder.early.inner.in_features)
    said = torch.zeros(len(rows), len(LABELS))
    order = sorted(range(len(rows)), key=lambda place: len(rows[place]["ids"]))
    with torch.no_grad():
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            ids, mask = tensors([rows[place] for place in places])
            states, absent = encoder.begun(ids, mask)
            seen[places] = pooled(states, mask)
            for layer in encoder.layers[1:]:
                states = layer(states, absent)
            said[places] = encoder.head(pooled(states, mask))
            if start // BATCH % 50 == 0:
                print(f"{start}/{len(order)} read", flush=True)
    return seen, said.clamp(-SURE, SURE)


def error(told: torch.Tensor, said: torch.Tensor) -> torch.Tensor:
    """What is likely must not be missed: it counts for more than how unlikely the rest is."""
    each = functional.smooth_l1_loss(told, said, reduction="none")
    return (each * (0.2 + torch.sigmoid(said + 2.0))).mean()


def taught(early: Early, seen: torch.Tensor, said: torch.Tensor) -> None:
    """Fits the exit."""
    steps = PASSES * (len(seen) // BATCH)
    optimizer = torch.optim.AdamW(early.parameters(), lr=1e-3, weight_decay=0.02)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=steps)
    for number in range(PASSES):
        order = torch.randperm(len(seen))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            places = order[start : start + BATCH]
            # Some of what it sees is hidden, so that it leans on nothing alone.
            loss = error(early(functional.dropout(seen[places], 0.2)), said[places])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            scheduler.step()
        print(f"pass {number + 1} of {PASSES}: {loss.item():.4f}", flush=True)


def fit(told: torch.Tensor, said: torch.Tensor) -> dict[str, float]:
    """For each label how well the early exit's order is the last layer's."""
    return {
        name: round(torch.corrcoef(torch.stack([told[:, label], said[:, label]]))[0, 1].item(), 3)
        for label, name in enumerate(LABELS)
    }


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    said.add_argument("--windows", type=Path, required=True, help="what `guardengine-training windows` wrote")
    said.add_argument("--base", type=Path, required=True, help="the folder of all-MiniLM-L6-v2")
    said.add_argument("--glossary", type=Path, required=True, help="the folder of dictionaries")
    said.add_argument("--weights", type=Path, required=True, help="what train.py wrote, or the folder that is shipped")
    said.add_argument("--out", type=Path, required=True, help="the file of weights that is written")
    said.add_argument("--examples", type=int, default=90_000, help="texts that are read")
    said.add_argument("--seed", type=int, default=7)
    how = said.parse_args()

    torch.manual_seed(how.seed)
    chance = random.Random(how.seed)
    tokenizer = tokenizer_of(how.base)
    encoder = (restored if how.weights.is_dir() else loaded)(how.weights).eval()
    known = glossary(how.glossary)
    seen, held_out = read(how.windows)
    tables = []
    for rows, count in ((seen, how.examples), (held_out, how.examples // 10)):
        rows = chance.sample(rows, min(count, len(rows)))
        for row in rows:
            if row["lang"] == "en" and chance.random() < GLOSSED:
                row["text"] = as_gloss(row["text"], known, chance)
        encoded(rows, tokenizer)
        tables.append(states_of(encoder, rows))
    encoder.early.train()
    taught(encoder.early, *tables[0])
    with torch.no_grad():
        print("correlation with the last layer on sources that were held out:")
        print(json.dumps(fit(encoder.early.eval()(tables[1][0]), tables[1][1])))
    torch.save(encoder.state_dict(), how.out)


if __name__ == "__main__":
    main()
