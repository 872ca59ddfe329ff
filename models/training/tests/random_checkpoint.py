"""A small checkpoint with random weights."""

from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from umpire_recipe.architecture import Settings

LAYERS, WIDTH, HIDDEN, VOCABULARY, POSITIONS = 2, 64, 96, 30522, 512  # the vocabulary is that of the pack's tokenizer
BUCKETS = 32  # of distances, with relative positions


def random_tensors(seed: int = 0) -> dict[str, np.ndarray]:
    """Two layers and two heads in half precision, with the names of checkpoints."""
    chance = np.random.default_rng(seed)

    def normal(*shape: int, scale: float = 0.2) -> np.ndarray:
        return (chance.standard_normal(shape) * scale).astype(np.float16)

    tensors = {"word.weight": normal(VOCABULARY, WIDTH), "pos.weight": normal(POSITIONS, WIDTH), "typ.weight": normal(3, WIDTH)}
    linear = {"pool": (WIDTH, WIDTH), "head": (3, WIDTH)}
    norms = ["n"]
    for i in range(LAYERS):
        at = f"layers.{i}"
        linear |= {f"{at}.qkv": (3 * WIDTH, WIDTH), f"{at}.o": (WIDTH, WIDTH), f"{at}.f1": (HIDDEN, WIDTH), f"{at}.f2": (WIDTH, HIDDEN)}
        norms += [f"{at}.n1", f"{at}.n2"]
    for name, shape in linear.items():
        tensors |= {f"{name}.weight": normal(*shape), f"{name}.bias": normal(shape[0])}
    for name in norms:
        tensors |= {f"{name}.weight": (1 + normal(WIDTH)).astype(np.float16), f"{name}.bias": normal(WIDTH)}
    return tensors


def write_checkpoint(path: Path, seed: int = 0, settings: Settings | None = None) -> None:
    """settings: None for a checkpoint that does not state them."""
    tensors = random_tensors(seed)
    if settings and settings.is_relative:
        tensors["rel.weight"] = np.random.default_rng(seed).normal(0, 0.5, (BUCKETS, settings.heads)).astype(np.float16)
    save_file(tensors, str(path), metadata=settings.metadata() if settings else None)
