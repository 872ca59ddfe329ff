"""weights.bin: every tensor once, shared by all graphs."""

import numpy as np

from weights import Weights

ALIGNMENT = 64  # bytes: a cache line, and the widest vector load


def stored_tensors(weights: Weights) -> dict[str, np.ndarray]:
    """The tensors as stored, by the names that the graphs use, in the order of the file."""
    tensors = dict(weights.floats)
    for name, matrix in weights.quantised.items():
        tensors[f"{name}.values"], tensors[f"{name}.scales"] = matrix.values, matrix.scales
    return {name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}


def laid_out(tensors: dict[str, np.ndarray]) -> tuple[bytes, dict[str, tuple[int, np.ndarray]]]:
    """The bytes of the file, and offset and array of each tensor in it."""
    content, places = bytearray(), {}
    for name, array in tensors.items():
        content += bytes(-len(content) % ALIGNMENT)
        places[name] = (len(content), array)
        content += array.tobytes()
    return bytes(content), places
