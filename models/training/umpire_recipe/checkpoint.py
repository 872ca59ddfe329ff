"""Checkpoints on disk: safetensors, with what the weights do not show in the metadata."""

from collections.abc import Mapping
from pathlib import Path

from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from umpire_recipe.architecture import Settings, settings_in


def read_settings(path: Path | str) -> Settings:
    with safe_open(str(path), "numpy") as stored:
        return settings_in(stored.metadata(), stored.get_slice("word.weight").get_shape()[1])


def write_checkpoint(path: Path | str, tensors: Mapping[str, Tensor], settings: Settings) -> None:
    """The tensors in fp16."""
    halves = {name: tensor.half().contiguous().cpu() for name, tensor in tensors.items()}
    save_file(halves, str(path), metadata=settings.metadata())
