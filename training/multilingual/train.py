"""Trains the encoder: draws shards, learns from them, mines harmless windows and learns those that it got wrong.

Everything lies in the cache folder: shards are made once, a checkpoint is written every ten minutes, and the same command
goes on where it stopped. `--smoke` runs the whole of it on next to nothing.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy
import torch
from tokenizers import Tokenizer
from torch.nn import functional

import base
import examples
import model
import monitor
import rows
from batches import Batch, Shard, joined, strongest, subset
from distill import Teacher
from labels import LABELS, UNKNOWN

CHECKPOINT = 600.0
"""Seconds between checkpoints."""
EARLY, TAGS, LANGUAGE, STATES = 0.4, 0.5, 0.1, 2.0
"""How much the other heads and the states count beside the guardrails of the last layer."""
DEPTHS = (0.25, 0.5, 1.0)
"""The layers whose states are learnt, as shares of all."""
WARM, STEADY = 0.04, 0.5
"""Shares of the run after which the rate is at its height, and from which it falls to nothing."""
REMINDED = 5
"""Of so many batches one learns the states of the base model to the end."""
HARDEST = 0.25
"""Share of the mined windows that is learnt."""
NEW = 10.0
"""How much faster the parts learn that the base model lacks: heads, roles, and what merges pieces. At such a rate the layers
would forget what they know: all texts get the same state behind the last one, and `late` reads what the exit reads."""


@dataclass
class Progress:
    """How far a run is. `mined` are the files of windows that mining found."""

    shard: int = 0
    batch: int = 0
    seen: int = 0
    seconds: float = 0.0
    mined: list[str] = field(default_factory=list)


def losses(encoder: model.Encoder, batch: Batch, teacher: Teacher | None) -> dict[str, torch.Tensor]:
    """The loss of each head, and of the states where there is a teacher. What is not known takes no part."""
    output = encoder(batch.ids, batch.mask, batch.role, depths=teacher.depths if teacher else ())

    def guardrails(logits: torch.Tensor) -> torch.Tensor:
        each = functional.binary_cross_entropy_with_logits(logits, batch.holds, reduction="none")
        return (each * batch.known).sum() / len(batch.ids)

    # A sum over what is there over a count of at least one: a batch without entities has a loss of zero.
    tagged, spoken = (batch.tags != UNKNOWN).sum().clamp(min=1), (batch.lang != UNKNOWN).sum().clamp(min=1)
    tags = functional.cross_entropy(output.tags.flatten(0, 1), batch.tags.flatten(), ignore_index=UNKNOWN, reduction="sum") / tagged
    language = functional.cross_entropy(output.language, batch.lang, ignore_index=UNKNOWN, reduction="sum") / spoken
    states = teacher.loss(batch.ids, batch.mask, output.states, output.there) if teacher else torch.zeros(())
    return {"late": guardrails(output.late), "early": guardrails(output.early), "tags": tags, "language": language, "states": states}


def groups(encoder: model.Encoder, rate: float, frozen: int) -> list[dict]:
    """The parameters that learn, and how fast."""
    fast = ("early.", "late.", "tagger.", "language.", "roles.", "merge.")
    for name, weight in encoder.named_parameters():
        still = name.startswith(tuple(f"layers.{layer}." for layer in range(frozen))) or (frozen and name.startswith(("positions.", "norm.")))
        weight.requires_grad_(not still)
    named = [(name, weight) for name, weight in encoder.named_parameters() if weight.requires_grad]
    head = [weight for name, weight in named if name.startswith(fast)]
    body = [weight for name, weight in named if not name.startswith(fast)]
    return [{"params": body, "lr": rate, "weight_decay": 0.01}, {"params": head, "lr": rate * NEW, "weight_decay": 0.01}]


def pace(share: float) -> float:
    """The rate at a share of the run, as a share of the highest."""
    return min(1.0, share / WARM + 0.01) if share < STEADY else max(0.0, (1 - share) / (1 - STEADY))


class Run:
    """One training run and its folder."""

    def __init__(self, given: argparse.Namespace, made: "Files") -> None:
        self.given, self.made = given, made
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.folder = given.cache / "runs" / given.run
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(given.seed)
        self.progress = Progress()
        last = self.folder / "checkpoint.pt"
        if last.exists():
            encoder, extra = model.loaded(last)
            self.progress = Progress(**extra["progress"])
        else:
            encoder, extra = model.pretrained(given.cache, layers=given.layers, lower=given.lower, exit=given.exit, stride=given.stride), {}
        self.encoder = encoder.to(self.device).train()
        self.optimizer = torch.optim.AdamW(groups(self.encoder, given.rate, given.frozen), betas=(0.9, 0.98), fused=True)
        self.rates = [group["lr"] for group in self.optimizer.param_groups]
        if extra:
            self.optimizer.load_state_dict(extra["optimizer"])
        self.total = given.shards * given.size
        depths = tuple(sorted({max(1, round(share * self.encoder.shape.layers)) for share in DEPTHS}))
        self.teacher = Teacher(given.cache, self.encoder, depths, self.device) if given.taught else None
        self.dev = monitor.sample(given.dev, given.cache) if given.dev else []
        self.began = self.saved_at = time.monotonic()
        self.before = self.progress.seconds
        self.recent: dict[str, float] = {}
        self.steps = 0

    def share(self) -> float:
        """How much of the run is done: by examples, or by minutes where those run out first."""
        self.progress.seconds = self.before + time.monotonic() - self.began
        by_time = self.progress.seconds / 60 / self.given.minutes if self.given.minutes else 0.0
        return max(self.progress.seen / self.total, by_time)

    def log(self, **what: object) -> None:
        line = {"seen": self.progress.seen, "minutes": round(self.progress.seconds / 60, 1), **what}
        with (self.folder / "log.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")

    def save(self) -> None:
        extra = {"progress": vars(self.progress), "optimizer": self.optimizer.state_dict()}
        model.saved(self.folder / "checkpoint.pt", self.encoder, extra)
        if self.dev:
            self.encoder.eval()
            self.log(dev=monitor.areas(self.encoder, self.dev, self.device))
            self.encoder.train()
        self.saved_at = time.monotonic()

    def learn(self, batch: Batch) -> None:
        share = self.share()
        rate = pace(share)
        for group, highest in zip(self.optimizer.param_groups, self.rates):
            group["lr"] = highest * rate
        taught = share < self.given.taught or self.steps % REMINDED == 0
        found = losses(self.encoder, batch.to(self.device), self.teacher if taught else None)
        loss = found["late"] + EARLY * found["early"] + TAGS * found["tags"] + LANGUAGE * found["language"] + STATES * found["states"]
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.encoder.parameters(), 1.0)
        self.optimizer.step()
        self.steps += 1
        for name, value in found.items():
            self.recent[name] = self.recent.get(name, 0.0) + value.item()
        if self.steps % 50 == 0:
            self.log(rate=round(rate, 3), **{name: round(value / 50, 4) for name, value in self.recent.items()})
            self.recent.clear()

    def scores(self, shard: Shard) -> numpy.ndarray:
        """The logits of the early exit for all windows of a shard."""
        found = numpy.empty((len(shard), len(LABELS)), numpy.float32)
        self.encoder.eval()
        with torch.no_grad():
            for places in shard.order(4 * self.given.tokens, "mine"):
                batch = shard.batch(places).to(self.device)
                found[places] = self.encoder(batch.ids, batch.mask, batch.role, early_only=True).early.cpu().numpy()
        self.encoder.train()
        return found

    def mine(self) -> None:
        """Keeps the worst of a file of harmless windows, and of long positive texts the window that shows each label best."""
        number = len(self.progress.mined)
        harmless = Shard(self.made.candidates(number))
        known = harmless.parts["known"][:, None] >> numpy.arange(len(LABELS)) & 1
        worst = numpy.where(known, self.scores(harmless), -99.0).max(1)
        order = numpy.argsort(-worst)[: max(1, int(len(harmless) * HARDEST))]
        parts = subset(harmless, order.tolist())
        path = self.made.unlocated(number)
        if path:
            long = Shard(path)
            places, shown = strongest(long, self.scores(long))
            best = subset(long, places)
            best["known"] &= ~best["holds"]
            best["holds"] = numpy.array([shown[place] for place in places], numpy.uint16)
            best["known"] |= best["holds"]
            parts = joined(parts, best)
        path = self.folder / f"mined-{number}.npz"
        numpy.savez(path, **parts)
        self.progress.mined.append(str(path))
        self.log(mined=len(parts["role"]), above_half=int((worst > 0).sum()), of=len(harmless))

    def epoch(self, path: Path) -> bool:
        """Learns the rest of a shard. False when the run is over."""
        shard = Shard(path)
        order = shard.order(self.given.tokens, f"{self.given.seed}/{path.stem}")
        for number in range(self.progress.batch, len(order)):
            if self.share() >= 1.0:
                return False
            self.learn(shard.batch(order[number]))
            self.progress.batch, self.progress.seen = number + 1, self.progress.seen + len(order[number])
            if time.monotonic() - self.saved_at > CHECKPOINT:
                self.save()
        self.progress.shard, self.progress.batch = self.progress.shard + 1, 0
        return True

    def queue(self) -> list[tuple[bool, int]]:
        """The numbers of the shards in order, and among them the minings, evenly spread and marked."""
        shards, minings = self.given.shards, self.given.mining
        due = {round(shards * (number + 1) / (minings + 1)): number for number in range(minings)}
        return [one for place in range(shards) for one in ([(True, due[place])] if place in due else []) + [(False, place)]]

    def go(self) -> None:
        queue = self.queue()
        while self.progress.shard < len(queue):
            is_mined, number = queue[self.progress.shard]
            if is_mined and number >= len(self.progress.mined):
                self.mine()
                self.save()
            path = Path(self.progress.mined[number]) if is_mined else self.made.shard(number)
            if not self.epoch(path):
                break
        self.save()
        model.saved(self.folder / "model.pt", self.encoder, {})
        self.log(done=True)


def options() -> argparse.ArgumentParser:
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--data", type=Path, nargs="+", default=[], help="folders of labelled texts")
    known.add_argument("--cache", type=Path, required=True, help="folder for all that is made on the way")
    known.add_argument("--dev", type=Path, help="folder of development suites, measured at each checkpoint")
    known.add_argument("--run", default="first", help="name of the run; the same name goes on with it")
    known.add_argument("--layers", type=int, default=8)
    known.add_argument("--lower", type=int, default=0, help="layers at full resolution")
    known.add_argument("--exit", type=int, default=2, help="layers before the early exit")
    known.add_argument("--stride", type=int, default=4, help="pieces that become one state above the lower layers")
    known.add_argument("--frozen", type=int, default=0, help="layers that do not learn")
    known.add_argument("--shards", type=int, default=12, help="shards that are learnt")
    known.add_argument("--size", type=int, default=examples.SHARD, help="examples of a shard")
    known.add_argument("--mining", type=int, default=2, help="times that harmless windows are mined")
    known.add_argument("--mined", type=int, default=24_000, help="harmless windows scored each time")
    known.add_argument("--long", type=int, default=0, help="long positive texts whose best window is learnt each time")
    known.add_argument("--tokens", type=int, default=2_560, help="pieces of a batch, with padding")
    known.add_argument("--rate", type=float, default=8e-5, help="the highest rate of the layers")
    known.add_argument("--taught", type=float, default=0.33, help="share of the run in which every batch learns the states of the base model")
    known.add_argument("--minutes", type=float, default=0.0, help="length of the run where shards would take longer")
    known.add_argument("--seed", type=int, default=1)
    known.add_argument("--threads", type=int, default=2)
    known.add_argument("--smoke", action="store_true", help="a run of seconds on tiny data, for the tests")
    known.add_argument("--prepare", action="store_true", help="make the base model and the shards, and stop")
    return known


class Files:
    """The shards and the harmless windows for mining, each made when it is first asked for."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.folder = given.cache / "shards"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.repository = given.cache if given.smoke else Path(__file__).parents[2]
        if not (given.cache / "base.safetensors").exists():
            base.prepare(given.cache, base.counted(self.rows))

    @cached_property
    def rows(self) -> list[rows.Row]:
        return rows.everything(self.given.data, self.repository, self.given.seed)

    @cached_property
    def sampler(self) -> examples.Sampler:
        return examples.Sampler(self.rows)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        return Tokenizer.from_file(str(self.given.cache / "tokenizer.json"))

    def made(self, name: str, make: Callable[..., list[examples.Example]], count: int) -> Path:
        path = self.folder / f"{self.given.seed}-{name}.npz"
        if not path.exists():
            examples.write(path, make(self.sampler, self.tokenizer, count, random.Random(f"{self.given.seed}/{path.stem}")))
        return path

    def shard(self, number: int) -> Path:
        return self.made(f"{number:04}", examples.made, self.given.size)

    def candidates(self, number: int) -> Path:
        return self.made(f"plain-{number}", examples.harmless, self.given.mined)

    def unlocated(self, number: int) -> Path | None:
        return self.made(f"long-{number}", examples.unlocated, self.given.long) if self.given.long else None


def main() -> None:
    given = options().parse_args()
    if given.smoke:
        given.shards, given.size, given.mining, given.mined, given.layers, given.exit = 2, 48, 1, 16, 2, 1
    torch.set_num_threads(given.threads)
    made = Files(given)
    if not given.prepare:
        Run(given, made).go()
        return
    for number in range(given.shards):
        print(made.shard(number), flush=True)
    for number in range(given.mining):
        print(made.candidates(number), made.unlocated(number), flush=True)


if __name__ == "__main__":
    main()
