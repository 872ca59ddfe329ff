"""Features of a question: what the network noticed in the state and, having read it, in the instructions. Lessons learn from them.

The raw features of each part are the mean over its tokens of the values of some layers, layer after layer. Special tokens count, and all
tokens of all windows do. A pack with a basis (features/basis.py) whitens them.
"""

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from umpire_recipe.answering.decider import Decider
from umpire_recipe.features.basis import read_basis


class ValuesNetwork(Protocol):
    """A `Network` (decider.py) that shows the values of its layers."""

    def read_state(self, ids: list[int]) -> Any:
        """As in `Network`."""

    def values(self, state: Any, instructions: list[int], layers: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Values of all tokens of the state, and of the instructions ([]: none): [T, layers x width] float32 each."""


MOST_LAYERS = 4  # each makes the file of the basis larger


def layers_of_features(layers: int) -> list[int]:
    """Of a network with so many layers, counted from 0: the last half, or four evenly spaced ones of it, the last one among them."""
    half = range(layers // 2, layers)
    if len(half) <= MOST_LAYERS:
        return list(half)
    return [half[round(number * (len(half) - 1) / (MOST_LAYERS - 1))] for number in range(MOST_LAYERS)]


def feature_layers(manifest: dict) -> list[int]:
    """The layers whose values are features, counted from 0. A manifest that does not say is an old one: the last half."""
    features, layers = manifest.get("features"), manifest["network"]["layers"]
    return features["layers"] if features else list(range(layers // 2, layers))


class Featurer:
    """Makes the features of questions by a pack, with any network that shows its values."""

    def __init__(self, pack: Path, manifest: dict, network: ValuesNetwork):
        self.decider = Decider(pack, manifest, network)
        self.layers = feature_layers(manifest)
        size = len(self.layers) * manifest["network"]["heads"] * manifest["network"]["headSize"]
        basis = manifest.get("features", {}).get("basis")
        self.basis = read_basis((pack / basis["file"]).read_bytes(), basis["components"], size) if basis else None

    def raw(self, state: str, instructions: str) -> tuple[np.ndarray, np.ndarray | None]:
        """The raw features of both parts in double precision; None without instructions. Raises ValueError if a text is too long."""
        network, ids = self.decider.network, self.decider.tokens(instructions, "instructionsTokens")
        read = network.values(network.read_state(self.decider.tokens(state, "stateTokens")), ids, self.layers)
        of_state, of_question = (part.mean(axis=0, dtype=float) if len(part) else None for part in read)
        return of_state, of_question

    def features(self, state: str, instructions: str) -> np.ndarray:
        """All features in double precision: the state's part, then the question's. Without instructions the latter are zeros."""
        of_state, of_question = self.raw(state, instructions)
        if self.basis:
            of_state = self.basis[0].features(of_state)
            of_question = None if of_question is None else self.basis[1].features(of_question)
        return np.concatenate([of_state, np.zeros_like(of_state) if of_question is None else of_question])
