"""The weights that training starts from."""

import torch
from safetensors.torch import load_file
from torch import Tensor

from umpire_recipe.backbone.folder import WEIGHTS, Backbone
from umpire_recipe.backbone.names import PARTS, WHOLE, from_hub

ROLES = 3  # token types: state, question and option
LABELS = 3
SPREAD = 0.02  # of random weights


def starting_tensors(backbone: Backbone) -> dict[str, Tensor]:
    """By the names of checkpoints, in fp32: the backbone's weights, with a type for each role and a new head."""
    stored = load_file(str(backbone.folder / WEIGHTS))
    hub = {name.removeprefix(backbone.prefix): tensor.float() for name, tensor in stored.items()}
    width, pooler = backbone.shape.width, WHOLE["pool"]
    head = torch.randn(LABELS, width) * SPREAD
    if f"{pooler}.weight" not in hub:
        hub |= {f"{pooler}.weight": torch.randn(width, width) * SPREAD, f"{pooler}.bias": torch.zeros(width)}
    tensors = from_hub(hub, backbone.shape.layers)
    types = tensors["typ.weight"][:ROLES]
    missing = types[-1:].expand(ROLES - len(types), -1)
    tensors["typ.weight"] = torch.cat([types, missing])
    return tensors | dict(zip((f"head.{part}" for part in PARTS), (head, torch.zeros(LABELS)), strict=True))
