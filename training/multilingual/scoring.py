"""Scores whole texts: every window of every text, in batches of like length."""

from dataclasses import dataclass

import numpy
import torch
from tokenizers import Tokenizer

from labels import LABELS, LANGUAGES, ROLES, TAGS
from model import Encoder
from windows import BEGIN, END, Pieces, cut, pieces

CHUNK = 10_000
"""Pieces of a batch, with padding."""


@dataclass
class Scored:
    """What the encoder said about a text: logits of its windows, tags of its pieces and their places, its language."""

    late: numpy.ndarray
    early: numpy.ndarray
    distinct: list[int]
    """The windows that repeat no other one. Only they count for the score of the text."""
    tag_chances: numpy.ndarray
    """(pieces, tags)"""
    offsets: list[tuple[int, int]]
    languages: numpy.ndarray
    """The share of each language."""

    @property
    def tags(self) -> numpy.ndarray:
        """The likeliest tag of each piece."""
        return self.tag_chances.argmax(1)

    @property
    def language(self) -> str:
        """The likeliest language."""
        return LANGUAGES[int(self.languages.argmax())]


@torch.no_grad()
def score(encoder: Encoder, tokenizer: Tokenizer, texts: list[str], roles: list[str]) -> list[Scored]:
    """Scores texts in their roles."""
    encoder.eval()
    cut_up = [pieces(text, encoding) for text, encoding in zip(texts, tokenizer.encode_batch(texts))]
    windows = [cut(text.breaks) for text in cut_up]
    jobs = [(place, window) for place, own in enumerate(windows) for window in own]
    found = [blank(text, distinct(text, own)) for text, own in zip(cut_up, windows)]
    spoken = numpy.zeros((len(texts), len(LANGUAGES)))
    spoken[[not text.ids for text in cut_up], 0] = 1
    order = sorted(range(len(jobs)), key=lambda job: jobs[job][1][1] - jobs[job][1][0])
    late, early, marked = ({place: [] for place in range(len(texts))} for _ in range(3))
    for some in batches([jobs[job] for job in order]):
        ids, role = tensors(some, cut_up, roles)
        output = encoder(ids, ids != 1, role)
        tags = output.tags.softmax(2).numpy()
        chances = output.language.softmax(1).numpy()
        for row, (place, (start, end)) in enumerate(some):
            late[place].append((start, output.late[row].numpy()))
            early[place].append((start, output.early[row].numpy()))
            marked[place].append((start, tags[row, 1 : end - start + 1]))
            spoken[place] += chances[row] * (end - start)
    for place, text in enumerate(found):
        in_order = lambda parts: numpy.array([logits for _, logits in sorted(parts, key=lambda part: part[0])])
        text.late, text.early = in_order(late[place]), in_order(early[place])
        for start, own in sorted(marked[place], key=lambda part: part[0]):
            text.tag_chances[start : start + len(own)] = own
        text.languages = spoken[place] / spoken[place].sum()
    return found


def distinct(text: Pieces, windows: list[tuple[int, int]]) -> list[int]:
    """The windows that repeat no other one."""
    first: dict[tuple[int, ...], int] = {}
    for place, (start, end) in enumerate(windows):
        first.setdefault(tuple(text.ids[start:end]), place)
    return sorted(first.values())


def blank(text: Pieces, windows: list[int]) -> Scored:
    """A text of which nothing is known yet."""
    none = numpy.zeros((0, len(LABELS)), numpy.float32)
    return Scored(none, none, windows, numpy.zeros((len(text.ids), len(TAGS)), numpy.float32), text.offsets, numpy.zeros(len(LANGUAGES)))


def batches(jobs: list) -> list[list]:
    """Windows, sorted by length, in groups of at most `CHUNK` pieces."""
    found, group = [], []
    for job in jobs:
        length = job[1][1] - job[1][0] + 2
        if group and (len(group) + 1) * length > CHUNK:
            found.append(group)
            group = []
        group.append(job)
    return [*found, group] if group else found


def tensors(jobs: list, texts: list[Pieces], roles: list[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """Pieces and roles of windows."""
    longest = max(end - start for _, (start, end) in jobs) + 2
    ids = torch.ones(len(jobs), longest, dtype=torch.long)
    for row, (place, (start, end)) in enumerate(jobs):
        ids[row, : end - start + 2] = torch.tensor([BEGIN, *texts[place].ids[start:end], END])
    return ids, torch.tensor([ROLES.index(roles[place]) for place, _ in jobs])
