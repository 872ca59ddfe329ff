"""A checkpoint's tensors, and the int8 form in which a pack stores them.

Names in a checkpoint (shapes in torch's order, out x in):
    word [V,D]  pos [P,D]  typ [3,D]  n (layer norm)  pool [D,D]  head [3,D]  rel [buckets, heads], with relative positions alone
    layers.{i}.{qkv,o,f1,f2} (linear)  layers.{i}.{n1,n2} (layer norm)
"""

from dataclasses import dataclass

import numpy as np
from safetensors.numpy import load_file

from umpire_recipe.architecture import Settings, Tensors

WORDS, DISTANCES = "word_embedding", "distance_bias"


def named_tensors(path: str) -> Tensors:
    """The checkpoint in fp32, under the names that the graphs use. Matrices are input x output, as ONNX's MatMul reads them."""
    source = {name: tensor.astype(np.float32) for name, tensor in load_file(path).items()}
    layers = 1 + max(int(name.split(".")[1]) for name in source if name.startswith("layers."))
    width = source["word.weight"].shape[1]
    tensors = {WORDS: source["word.weight"], "position_embedding": source["pos.weight"], "type_embedding": source["typ.weight"]}
    if "rel.weight" in source:
        tensors[DISTANCES] = source["rel.weight"]

    def norm(name: str, at: str) -> None:
        tensors[f"{name}.gamma"], tensors[f"{name}.beta"] = source[f"{at}.weight"], source[f"{at}.bias"]

    def linear(name: str, at: str, outputs: slice = slice(None)) -> None:
        tensors[f"{name}.weight"] = np.ascontiguousarray(source[f"{at}.weight"][outputs].T)
        tensors[f"{name}.bias"] = source[f"{at}.bias"][outputs]

    norm("embedding_norm", "n")
    for i in range(layers):
        at, name = f"layers.{i}", f"layer.{i}"
        if i < layers - 1:
            linear(f"{name}.query_key_value", f"{at}.qkv")
        else:  # the last layer needs queries of first tokens only
            linear(f"{name}.query", f"{at}.qkv", slice(width))
            linear(f"{name}.key_value", f"{at}.qkv", slice(width, None))
        linear(f"{name}.attention_output", f"{at}.o")
        linear(f"{name}.intermediate", f"{at}.f1")
        linear(f"{name}.output", f"{at}.f2")
        norm(f"{name}.attention_norm", f"{at}.n1")
        norm(f"{name}.output_norm", f"{at}.n2")
    linear("pooler", "pool")
    linear("head", "head")
    return tensors


@dataclass(frozen=True)
class Quantised:
    """A matrix in symmetric int8. `values * scales` restores it; there is one scale a column (linear layers) or a row (embedding)."""

    values: np.ndarray
    scales: np.ndarray


def quantise(matrix: np.ndarray, axis: int) -> Quantised:
    """Symmetric int8, -127 to 127, with one scale for each index of `axis`."""
    largest = np.abs(matrix).max(axis=1 - axis, keepdims=True)
    scales = (np.maximum(largest, 1e-12) / 127).astype(np.float32)
    values = np.clip(np.round(matrix / scales), -127, 127).astype(np.int8)
    return Quantised(values, scales.reshape(-1))


@dataclass(frozen=True)
class Weights:
    """Everything that the graphs read, under the names that they use."""

    layers: int
    settings: Settings
    width: int
    positions: int
    floats: Tensors
    quantised: dict[str, Quantised]

    @property
    def heads(self) -> int:
        return self.settings.heads

    @property
    def head_size(self) -> int:
        return self.width // self.heads


def smoothing(matrix: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Matrix [K,N] and its largest absolute inputs [K] -> the factor [K] by which each column of inputs is multiplied.

    Inputs and rows of the matrix then have the same spread. Factors are rounded to quarter powers of two, so that the last bits of the
    measurement do not reach the pack.
    """
    rows = np.maximum(np.abs(matrix).max(axis=1), 1e-6)
    even = np.sqrt(rows / np.maximum(largest, 1e-6))
    return np.exp2(np.round(4 * np.log2(even)) / 4).astype(np.float32)


def quantised_weights(tensors: Tensors, settings: Settings, largest: Tensors | None = None) -> Weights:
    """Word embedding and large matrices become int8. Norms, biases, the head, positions and types stay fp32 (0.8 MB of
    umpire-2), and with relative positions their bias and the pooler.

    largest: for each product to be smoothed, the largest inputs of each column (smoothing.py). Its inputs are then multiplied by
    `<product>.smoothing`, and its matrix is stored divided by it.
    """
    floats, quantised = {}, {}
    exact = ("head",) if settings.rounds_pooler else ("head", "pooler")
    for name, tensor in tensors.items():
        base = name.removesuffix(".weight")
        if name == WORDS:
            quantised[name] = quantise(tensor, axis=0)
        elif name.endswith(".weight") and base not in exact:
            if largest and base in largest:
                floats[f"{base}.smoothing"] = smoothing(tensor, largest[base])
                tensor = tensor / floats[f"{base}.smoothing"][:, None]
            quantised[base] = quantise(tensor, axis=1)
        else:
            floats[name] = tensor
    layers = sum(name.endswith(".output_norm.gamma") for name in floats)
    positions, width = floats["position_embedding"].shape
    return Weights(layers, settings, width, positions, floats, quantised)
