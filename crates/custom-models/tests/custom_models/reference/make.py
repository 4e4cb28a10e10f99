"""Writes expected.json: logits that Hugging Face's code computes for a small model of every supported network.

    pip install torch transformers && python make.py > expected.json

Weights are not stored. The script and the test generate them from the tensors' names with the same arithmetic.
"""

import json

import torch
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    DistilBertConfig,
    DistilBertForSequenceClassification,
    ModernBertConfig,
    ModernBertForSequenceClassification,
    RobertaConfig,
    RobertaForSequenceClassification,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
)

LABELS = {"id2label": {0: "SAFE", 1: "INJECTION", 2: "TOXIC"}, "label2id": {"SAFE": 0, "INJECTION": 1, "TOXIC": 2}}
SIZES = {
    "vocab_size": 40,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
    **LABELS,
}
DISTANCES = {"relative_attention": True, "max_relative_positions": -1, "layer_norm_eps": 1e-7}
KINDS = {
    "bert": (BertForSequenceClassification, BertConfig(**SIZES)),
    "roberta": (RobertaForSequenceClassification, RobertaConfig(**SIZES, pad_token_id=1, type_vocab_size=1)),
    "xlm-roberta": (
        XLMRobertaForSequenceClassification,
        XLMRobertaConfig(**SIZES, pad_token_id=0, type_vocab_size=1, hidden_act="gelu_new"),
    ),
    "distilbert": (
        DistilBertForSequenceClassification,
        DistilBertConfig(vocab_size=40, dim=32, n_layers=3, n_heads=4, hidden_dim=48, max_position_embeddings=64, **LABELS),
    ),
    "deberta-v3": (
        DebertaV2ForSequenceClassification,
        DebertaV2Config(
            **SIZES,
            **DISTANCES,
            type_vocab_size=0,
            position_buckets=8,
            norm_rel_ebd="layer_norm",
            share_att_key=True,
            pos_att_type="p2c|c2p",
            position_biased_input=False,
        ),
    ),
    "deberta-v2": (
        DebertaV2ForSequenceClassification,
        DebertaV2Config(
            **SIZES,
            **DISTANCES,
            type_vocab_size=2,
            pos_att_type=["p2c", "c2p"],
            position_biased_input=True,
            conv_kernel_size=3,
            conv_act="gelu",
        ),
    ),
    "modernbert": (
        ModernBertForSequenceClassification,
        ModernBertConfig(
            **{**SIZES, "num_hidden_layers": 4},
            local_attention=8,
            classifier_pooling="mean",
            pad_token_id=0,
            bos_token_id=34,
            eos_token_id=35,
            cls_token_id=34,
            sep_token_id=35,
            attn_implementation="eager",
        ),
    ),
}
# Tokens. Token 34 starts a text and 35 ends it; the first text is "w5 w9" in the test's tokenizer.
TEXTS = [[34, 5, 9, 35], [34, *range(3, 33), 20, 11, 11, 35]]


def weight(name, shape):
    """Returns values generated from the tensor's name, between -0.3 and 0.3, or around 1 for the weights of norms."""
    state = 2166136261
    for byte in name.encode():
        state = (state ^ byte) * 16777619 % 2**32
    center = 1.0 if "norm" in name.lower() and name.endswith(".weight") else 0.0
    values = []
    for _ in range(torch.Size(shape).numel()):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append(center + ((state >> 8) / 2**24 - 0.5) * 0.6)
    return torch.tensor(values, dtype=torch.float32).reshape(shape)


def reference(kind, config):
    model = kind(config).eval()
    shapes = {name: list(tensor.shape) for name, tensor in model.state_dict().items() if tensor.is_floating_point()}
    model.load_state_dict({name: weight(name, shape) for name, shape in shapes.items()}, strict=False)
    with torch.no_grad():
        logits = [model(torch.tensor([text])).logits[0].tolist() for text in TEXTS]
    return {"config": config.to_dict(), "tensors": shapes, "logits": logits}


expected = {name: reference(*kind) for name, kind in KINDS.items()}
print(json.dumps({"texts": TEXTS, "kinds": expected}, separators=(",", ":")))
