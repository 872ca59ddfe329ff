"""Names of tensors: in a hub's BERT, and in checkpoints of the recipe (export/weights.py)."""

from collections.abc import Mapping

import torch
from torch import Tensor

EMBEDDINGS = {"word": "embeddings.word_embeddings", "pos": "embeddings.position_embeddings", "typ": "embeddings.token_type_embeddings"}
WHOLE = {"n": "embeddings.LayerNorm", "pool": "pooler.dense"}
PROJECTIONS = tuple(f"attention.self.{name}" for name in ("query", "key", "value"))  # `qkv` holds all three
OF_A_LAYER = {
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "f1": "intermediate.dense",
    "f2": "output.dense",
    "n2": "output.LayerNorm",
}
PARTS = ("weight", "bias")


def from_hub(hub: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    """The encoder and its pooler by checkpoint names, all token types as they are. @raises KeyError naming a tensor that is missing."""
    found = {f"{name}.weight": hub[f"{at}.weight"] for name, at in EMBEDDINGS.items()}
    for part in PARTS:
        found |= {f"{name}.{part}": hub[f"{at}.{part}"] for name, at in WHOLE.items()}
        for i in range(layers):
            at = f"encoder.layer.{i}"
            found[f"layers.{i}.qkv.{part}"] = torch.cat([hub[f"{at}.{name}.{part}"] for name in PROJECTIONS])
            found |= {f"layers.{i}.{name}.{part}": hub[f"{at}.{place}.{part}"] for name, place in OF_A_LAYER.items()}
    return found


def to_hub(tensors: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    """The inverse of `from_hub`. The head is left out."""
    found = {f"{at}.weight": tensors[f"{name}.weight"] for name, at in EMBEDDINGS.items()}
    for part in PARTS:
        found |= {f"{at}.{part}": tensors[f"{name}.{part}"] for name, at in WHOLE.items()}
        for i in range(layers):
            at = f"encoder.layer.{i}"
            joined = tensors[f"layers.{i}.qkv.{part}"].chunk(len(PROJECTIONS))
            found |= {f"{at}.{name}.{part}": tensor for name, tensor in zip(PROJECTIONS, joined, strict=True)}
            found |= {f"{at}.{place}.{part}": tensors[f"layers.{i}.{name}.{part}"] for name, place in OF_A_LAYER.items()}
    return found
