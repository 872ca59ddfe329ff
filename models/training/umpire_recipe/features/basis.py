"""The basis of a pack's features: mean, directions and scales that whiten a part, and the file that holds them.

A question has two parts of raw features, the state's and the question's. Each is a vector of N floats: the mean over tokens of the values
of some layers, one layer after the other. Its features are the K floats (raw - mean) @ components.T * scales.
"""

from dataclasses import dataclass

import numpy as np

from umpire_recipe.export.weights import quantise

FEATURES = "features.bin"  # its name in a pack
PARTS = 2


@dataclass(frozen=True)
class Part:
    """mean: float32 [N]. components: int8 [K,N]. scales: float32 [K], of an int8 step over the deviation and the root of K."""

    mean: np.ndarray
    components: np.ndarray
    scales: np.ndarray

    def features(self, raw: np.ndarray) -> np.ndarray:
        """Raw features [..., N] -> features [..., K] in double precision."""
        return (raw - self.mean.astype(float)) @ self.components.T.astype(float) * self.scales.astype(float)


@dataclass(frozen=True)
class Principal:
    """Principal components of raw features in double precision, by falling deviation. components: [K,N], of length 1. deviations: [K]."""

    mean: np.ndarray
    components: np.ndarray
    deviations: np.ndarray

    def features(self, raw: np.ndarray) -> np.ndarray:
        """Raw features [..., N] -> features [..., K], whose mean square over the rows that this was fitted on is 1 / K."""
        return (raw - self.mean) @ self.components.T / self.deviations / len(self.deviations) ** 0.5

    def stored(self) -> Part:
        rounded = quantise(self.components.astype(np.float32), axis=0)
        scales = rounded.scales / self.deviations / len(self.deviations) ** 0.5
        return Part(self.mean.astype(np.float32), rounded.values, scales.astype(np.float32))


def principal(raw: np.ndarray, components: int) -> Principal:
    """The first principal components of raw features [rows, N]."""
    mean = raw.mean(axis=0)
    _, spread, directions = np.linalg.svd(raw - mean, full_matrices=False)
    directions, spread = directions[:components], spread[:components]
    largest = np.abs(directions).argmax(axis=1)
    # The sign of a direction means nothing. This makes it the same on every machine.
    directions = directions * np.sign(directions[np.arange(len(directions)), largest])[:, None]
    return Principal(mean, directions, spread / len(raw) ** 0.5)


def written(parts: list[Part]) -> bytes:
    """The file: mean, components and scales of the state's part, then those of the question's, little-endian and without gaps."""
    arrays = (array.astype(kind) for part in parts for array, kind in ((part.mean, "<f4"), (part.components, "i1"), (part.scales, "<f4")))
    return b"".join(array.tobytes() for array in arrays)


def read_basis(content: bytes, components: int, size: int) -> list[Part]:
    """The parts of a file. components: K. size: N. Raises ValueError if the file has another size."""
    parts, at = [], 0
    whole = PARTS * size_bytes(components, size)
    if len(content) != whole:
        raise ValueError(f"A basis of {components} components of {size} values has {whole} bytes, not {len(content)}.")

    def array(kind: str, count: int) -> np.ndarray:
        nonlocal at
        found = np.frombuffer(content, kind, count, at)
        at += found.nbytes
        return found

    for _ in range(PARTS):
        parts.append(Part(array("<f4", size), array("i1", components * size).reshape(components, size), array("<f4", components)))
    return parts


def size_bytes(components: int, size: int) -> int:
    """Of one part in a file."""
    return 4 * size + components * size + 4 * components


def components_in(content: bytes, size: int) -> int:
    """How many components each part of a file has. size: N."""
    return (len(content) // PARTS - 4 * size) // (size + 4)
