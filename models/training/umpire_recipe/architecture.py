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
    """What a network's weights do not show. epsilon: of every layer norm. furthest: the distance from which on relative positions are all
    alike; None without relative positions. A checkpoint states them in its metadata."""

    heads: int
    epsilon: float
    furthest: int | None = None

    def metadata(self) -> dict[str, str]:
        stated = {"heads": str(self.heads), "epsilon": repr(self.epsilon)}
        return stated | ({"furthest": str(self.furthest)} if self.is_relative else {})

    @property
    def is_relative(self) -> bool:
        """Whether attention scores have a bias by the distance of two tokens: a number a bucket of distances and a head, in all layers."""
        return self.furthest is not None

    @property
    def rounds_pooler(self) -> bool:
        """Whether int8 packs hold the pooler in int8. That of MPNet begins as an identity plus small values, which one scale a row would
        round away; in fp32 it is 1.8 MB larger, of 110."""
        return not self.is_relative


def settings_in(metadata: Mapping[str, str] | None, width: int) -> Settings:
    """The settings of a checkpoint `width` wide, from its metadata."""
    stated = metadata or {}
    furthest = int(stated["furthest"]) if "furthest" in stated else None
    return Settings(int(stated.get("heads", width // HEAD_SIZE)), float(stated.get("epsilon", EPSILON)), furthest)


def buckets_of_distances(buckets: int, furthest: int) -> np.ndarray:
    """[2 * furthest + 1] int64: the bucket of each distance from -furthest to furthest, of T5 and MPNet.

    A distance is the position of the token that is read minus that of the one that reads. Further ones are as the furthest. Half of the
    buckets are for each side; of these, half hold one distance each, and the others grow with the distance. The first of the list is the
    furthest past: so questions and options see every token of the state, which may be read in many windows.
    """
    half, exact = buckets // 2, buckets // 4

    def on_one_side(distance: int) -> int:
        # exact + steps * log(distance / exact) / log(furthest / exact), rounded down, in whole numbers: the last bits of a logarithm could
        # move the distances at which a bucket begins.
        steps = half - exact
        begun = (distance**steps * exact**step >= exact**steps * furthest**step for step in range(1, steps))
        return distance if distance < exact else exact + sum(begun)

    past = [on_one_side(distance) for distance in range(furthest, -1, -1)]
    return np.array(past + [half + bucket for bucket in past[-2::-1]], np.int64)
