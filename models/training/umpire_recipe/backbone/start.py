"""The weights that training starts from."""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import Tensor

from umpire_recipe.backbone.folder import WEIGHTS, Backbone
from umpire_recipe.backbone.names import PARTS, POOLER, from_hub
from umpire_recipe.backbone.refused import BackboneRefused

ROLES = 3  # token types: state, question and option
LABELS = 3
SPREAD = 0.02  # of random weights
CHANGES, SCALES = ".q", ".s"  # what follows the name of a tensor in a file of differences


def starting_tensors(backbone: Backbone) -> dict[str, Tensor]:
    """By the names of checkpoints, in fp32: the backbone's weights, with a type for each role and a new head."""
    stored = load_file(str(backbone.folder / WEIGHTS))
    hub = {name.removeprefix(backbone.prefix): tensor.float() for name, tensor in stored.items()}
    shape = backbone.shape
    head = torch.randn(LABELS, shape.width) * SPREAD
    if "pool" in shape.names.whole and f"{POOLER}.weight" not in hub:
        hub |= {f"{POOLER}.weight": torch.randn(shape.width, shape.width) * SPREAD, f"{POOLER}.bias": torch.zeros(shape.width)}
    tensors = from_hub(hub, shape.layers, shape.names)
    tensors["pos.weight"] = tensors["pos.weight"][shape.first_position :].clone()
    tensors["typ.weight"] = types_of(tensors.get("typ.weight"), shape.width)
    if "pool" not in shape.names.whole:
        # What the last layer gives passes as it is.
        tensors |= {"pool.weight": torch.eye(shape.width), "pool.bias": torch.zeros(shape.width)}
    return tensors | dict(zip((f"head.{part}" for part in PARTS), (head, torch.zeros(LABELS)), strict=True))


def types_of(stored: Tensor | None, width: int) -> Tensor:
    """A type for each role: the last one stands for those that are missing."""
    if stored is None:
        return torch.zeros(ROLES, width)
    types = stored[:ROLES]
    return torch.cat([types, types[-1:].expand(ROLES - len(types), -1)])


def is_difference(path: Path | str) -> bool:
    """Whether a file holds differences from a backbone, not a whole checkpoint."""
    with safe_open(str(path), "numpy") as stored:
        return any(name.endswith(CHANGES) for name in stored.keys())  # noqa: SIM118 (it is no mapping)


def changed(tensors: Mapping[str, Tensor], path: Path | str) -> dict[str, Tensor]:
    """These tensors with the differences of a file: `<name>.q` int8 times `<name>.s`, a scale a row, is added to a tensor; one under its
    own name replaces it. What the file does not name stays. @raises BackboneRefused"""
    stored, found = load_file(str(path)), {}
    for name, tensor in tensors.items():
        if name in stored:
            found[name] = stored[name].float()
        elif f"{name}{CHANGES}" in stored:
            # A table of positions may have rows before the first one.
            rows = slice(-len(tensor), None)
            change = (stored[f"{name}{CHANGES}"].float() * stored[f"{name}{SCALES}"].float()[:, None])[rows]
            found[name] = tensor + change if change.shape == tensor.shape else change
        else:
            found[name] = tensor
        if found[name].shape != tensor.shape:
            raise BackboneRefused(f"{name} in {Path(path).name} has another shape than in the backbone.")
    return found
