"""Names of tensors: in a hub's BERT or MPNet, and in checkpoints of the recipe (export/weights.py)."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

PARTS = ("weight", "bias")
POOLER = "pooler.dense"


@dataclass(frozen=True)
class HubNames:
    """embeddings: tables without a bias. projections: `qkv` holds all three. of_a_layer, projections: within a layer."""

    embeddings: Mapping[str, str]
    whole: Mapping[str, str]
    projections: tuple[str, str, str]
    of_a_layer: Mapping[str, str]


BERT = HubNames(
    {"word": "embeddings.word_embeddings", "pos": "embeddings.position_embeddings", "typ": "embeddings.token_type_embeddings"},
    {"n": "embeddings.LayerNorm", "pool": POOLER},
    ("attention.self.query", "attention.self.key", "attention.self.value"),
    {
        "o": "attention.output.dense",
        "n1": "attention.output.LayerNorm",
        "f1": "intermediate.dense",
        "f2": "output.dense",
        "n2": "output.LayerNorm",
    },
)
# It has no token types, and its pooler was never trained.
MPNET = HubNames(
    {"word": "embeddings.word_embeddings", "pos": "embeddings.position_embeddings", "rel": "encoder.relative_attention_bias"},
    {"n": "embeddings.LayerNorm"},
    ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    {
        "o": "attention.attn.o",
        "n1": "attention.LayerNorm",
        "f1": "intermediate.dense",
        "f2": "output.dense",
        "n2": "output.LayerNorm",
    },
)


def from_hub(hub: Mapping[str, Tensor], layers: int, names: HubNames = BERT) -> dict[str, Tensor]:
    """What the names are of by checkpoint names, as it is. @raises KeyError naming a tensor that is missing."""
    found = {f"{name}.weight": hub[f"{at}.weight"] for name, at in names.embeddings.items()}
    for part in PARTS:
        found |= {f"{name}.{part}": hub[f"{at}.{part}"] for name, at in names.whole.items()}
        for i in range(layers):
            at = f"encoder.layer.{i}"
            found[f"layers.{i}.qkv.{part}"] = torch.cat([hub[f"{at}.{name}.{part}"] for name in names.projections])
            found |= {f"layers.{i}.{name}.{part}": hub[f"{at}.{place}.{part}"] for name, place in names.of_a_layer.items()}
    return found


def to_hub(tensors: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    """The inverse of `from_hub` for BERT. The head is left out."""
    found = {f"{at}.weight": tensors[f"{name}.weight"] for name, at in BERT.embeddings.items()}
    for part in PARTS:
        found |= {f"{at}.{part}": tensors[f"{name}.{part}"] for name, at in BERT.whole.items()}
        for i in range(layers):
            at = f"encoder.layer.{i}"
            joined = tensors[f"layers.{i}.qkv.{part}"].chunk(len(BERT.projections))
            found |= {f"{at}.{name}.{part}": tensor for name, tensor in zip(BERT.projections, joined, strict=True)}
            found |= {f"{at}.{place}.{part}": tensors[f"layers.{i}.{name}.{part}"] for name, place in BERT.of_a_layer.items()}
    return found
