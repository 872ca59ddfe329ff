"""What training, the reference and the exported graphs must agree on about the network."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

MASKED = -1e4  # added to the attention score of padding: its softmax weight is then exactly 0 in fp32
# GELU never falls below -0.17. Rows of its outputs need few int8 steps below zero, which leaves nearly twice as many above.
GELU_FLOOR, GELU_ZERO = 0.17, 24

Tensors = dict[str, np.ndarray]  # by the names that the graphs use

# Of checkpoints that do not say.
HEAD_SIZE, EPSILON = 32, 1e-12


@dataclass(frozen=True)
class Settings:
    """What a network's weights do not show. epsilon: of every layer norm. A checkpoint states them in its metadata."""

    heads: int
    epsilon: float

    def metadata(self) -> dict[str, str]:
        return {"heads": str(self.heads), "epsilon": repr(self.epsilon)}


def settings_in(metadata: Mapping[str, str] | None, width: int) -> Settings:
    """The settings of a checkpoint `width` wide, from its metadata."""
    stated = metadata or {}
    return Settings(int(stated.get("heads", width // HEAD_SIZE)), float(stated.get("epsilon", EPSILON)))
