"""The encoder: neighbouring pieces become one state, layers read these states, and a head answers each task."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor, nn
from torch.nn import functional

from labels import LABELS, LANGUAGES, ROLES, TAGS


@dataclass(frozen=True)
class Shape:
    """What decides the sizes of all tensors."""

    pieces: int
    layers: int = 6
    lower: int = 0
    """Layers at full resolution, before neighbours are merged."""
    exit: int = 2
    """Layers before the early exit, which tags and language leave behind as well."""
    width: int = 384
    heads: int = 12
    inner: int = 1536
    positions: int = 512
    stride: int = 4
    """Pieces that become one state."""
    near: int = 1
    """Neighbours on each side that a piece's tag depends on directly."""
    tagger: int = 128
    """Width of the tagger."""
    epsilon: float = 1e-12


class Words(nn.Module):
    """Frozen embeddings in Q4_0, one row of blocks for each piece."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.width = shape.width
        self.register_buffer("blocks", torch.zeros(shape.pieces, shape.width // 32 * 18, dtype=torch.uint8))

    def forward(self, ids: Tensor) -> Tensor:
        blocks = self.blocks[ids].unflatten(-1, (-1, 18))
        scales = blocks[..., :2].contiguous().view(torch.float16).float()
        halves = blocks[..., 2:]
        return ((torch.cat([halves & 15, halves >> 4], -1).float() - 8.0) * scales).flatten(-2)


class Layer(nn.Module):
    """A transformer layer with the normalisation behind each half, as in BERT."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        wide = shape.width
        self.heads = shape.heads
        self.query, self.key, self.value, self.attended = (nn.Linear(wide, wide) for _ in range(4))
        self.inner = nn.Linear(wide, shape.inner)
        self.outer = nn.Linear(shape.inner, wide)
        self.attended_norm, self.outer_norm = (nn.LayerNorm(wide, shape.epsilon) for _ in range(2))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        split = lambda part: part.unflatten(2, (self.heads, -1)).transpose(1, 2)
        query, key, value = (split(part(states)) for part in (self.query, self.key, self.value))
        mixed = functional.scaled_dot_product_attention(query, key, value, mask[:, None, None, :])
        states = self.attended_norm(states + self.attended(mixed.transpose(1, 2).flatten(2)))
        return self.outer_norm(states + self.outer(functional.gelu(self.inner(states))))


class Merge(nn.Module):
    """Makes one state of `stride` neighbours. Begins as their mean, and learns what the order of pieces means."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.stride = shape.stride
        self.whole = nn.Linear(shape.stride * shape.width, shape.width)
        with torch.no_grad():
            self.whole.weight.copy_(torch.eye(shape.width).repeat(1, shape.stride) / shape.stride)
            self.whole.bias.zero_()

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        missing = -states.shape[1] % self.stride
        there = functional.pad(mask, (0, missing)).unflatten(1, (-1, self.stride))
        states = functional.pad(states * mask[..., None], (0, 0, 0, missing)).unflatten(1, (-1, self.stride))
        # A group of fewer pieces at the end of a window counts as much as a whole one.
        share = self.stride / there.sum(2, keepdim=True).clamp(min=1)
        return self.whole(states.flatten(2) * share), there.any(2)


class Tagger(nn.Module):
    """Tags each piece by what it and its neighbours say, and by the state of its group."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.near, self.wide, self.stride = shape.near, shape.tagger, shape.stride
        self.pieces = nn.Linear(shape.width, (2 * shape.near + 1) * shape.tagger, bias=False)
        self.groups = nn.Linear(shape.width, shape.tagger)
        self.out = nn.Linear(shape.tagger, len(TAGS))

    def forward(self, pieces: Tensor, mask: Tensor, groups: Tensor) -> Tensor:
        count = pieces.shape[1]
        said = functional.pad(self.pieces(pieces * mask[..., None]), (0, 0, self.near, self.near)).unflatten(2, (-1, self.wide))
        near = sum(said[:, place : place + count, place] for place in range(2 * self.near + 1))
        above = self.groups(groups).repeat_interleave(self.stride, 1)[:, :count]
        return self.out(functional.gelu(near + above))


@dataclass
class Output:
    """What the heads say: logits, and the states at the end for other heads to read."""

    early: Tensor
    late: Tensor | None
    tags: Tensor
    language: Tensor
    vector: Tensor | None
    states: dict[int, Tensor]
    """Of all groups, behind the layers that were asked for."""
    there: Tensor
    """Whether a group has pieces."""


class Encoder(nn.Module):
    """Pieces and a role in, logits out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        wide = shape.width
        self.words = Words(shape)
        self.positions = nn.Embedding(shape.positions, wide)
        self.roles = nn.Embedding(len(ROLES), wide)
        self.norm = nn.LayerNorm(wide, shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.merge = Merge(shape)
        self.early = nn.Linear(2 * wide, len(LABELS))
        self.late = nn.Linear(4 * wide, len(LABELS))
        self.tagger = Tagger(shape)
        self.language = nn.Linear(2 * wide, len(LANGUAGES))

    def forward(self, ids: Tensor, mask: Tensor, roles: Tensor, early_only: bool = False, depths: tuple[int, ...] = ()) -> Output:
        """`ids` and the boolean `mask` are (batch, pieces), `roles` is (batch). `depths` asks for the states behind layers."""
        shape = self.shape
        places = torch.arange(ids.shape[1], device=ids.device)
        pieces = self.norm(self.words(ids) + self.positions(places) + self.roles(roles)[:, None])
        for layer in self.layers[: shape.lower]:
            pieces = layer(pieces, mask)
        states, there = self.merge(pieces, mask)
        asked: dict[int, Tensor] = {}
        for depth, layer in enumerate(self.layers[shape.lower : shape.exit], shape.lower + 1):
            states = layer(states, there)
            if depth in depths:
                asked[depth] = states
        low = pooled(states, there)
        tags, early, spoken = self.tagger(pieces, mask, states), self.early(low), self.language(low)
        if early_only:
            return Output(early, None, tags, spoken, None, asked, there)
        for depth, layer in enumerate(self.layers[shape.exit :], shape.exit + 1):
            states = layer(states, there)
            if depth in depths:
                asked[depth] = states
        high = pooled(states, there)
        return Output(early, self.late(torch.cat([high, low], 1)), tags, spoken, high[:, : shape.width], asked, there)


def pooled(states: Tensor, mask: Tensor) -> Tensor:
    """Mean and greatest of the states that are there."""
    there = mask[..., None].to(states.dtype)
    mean = (states * there).sum(1) / there.sum(1)
    return torch.cat([mean, states.masked_fill(~mask[..., None], -1e4).amax(1)], 1)


def pretrained(cache: Path, **choices: int) -> Encoder:
    """The first layers of the base model under heads that know nothing."""
    with safe_open(cache / "base.safetensors", "pt") as base:
        state = {name: base.get_tensor(name) for name in base.keys()}  # noqa: SIM118 (no mapping)
    encoder = Encoder(Shape(pieces=len(state["words"]), positions=len(state["positions.weight"]), **choices))
    state["words.blocks"] = state.pop("words")
    own = encoder.state_dict()
    encoder.load_state_dict({name: tensor for name, tensor in state.items() if name in own}, strict=False)
    nn.init.zeros_(encoder.roles.weight)
    for head in (encoder.early, encoder.late, encoder.tagger.pieces, encoder.tagger.groups, encoder.tagger.out, encoder.language):
        nn.init.normal_(head.weight, std=0.02)
        if head.bias is not None:
            nn.init.zeros_(head.bias)
    for head in (encoder.early, encoder.late):
        nn.init.constant_(head.bias, -3.0)
    return encoder


def saved(path: Path, encoder: Encoder, extra: dict) -> None:
    """Writes weights and shape, whole or not at all. The frozen embeddings go along."""
    part = path.with_suffix(".part")
    torch.save({"shape": asdict(encoder.shape), "state": encoder.state_dict(), **extra}, part)
    part.replace(path)


def loaded(path: Path) -> tuple[Encoder, dict]:
    """An encoder that `saved` wrote, and what was saved with it."""
    given = torch.load(path, weights_only=True, map_location="cpu")
    encoder = Encoder(Shape(**given.pop("shape")))
    encoder.load_state_dict(given.pop("state"))
    return encoder, given


def described(shape: Shape) -> str:
    """The shape as JSON."""
    return json.dumps(asdict(shape))
