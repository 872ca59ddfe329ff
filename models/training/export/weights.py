"""A checkpoint's tensors, and the int8 form in which a pack stores them.

Checkpoint names (all shapes in torch's order, out x in):
    word [V,D]  pos [P,D]  typ [3,D]  n (layer norm)  layers.{i}.{qkv,o,f1,f2} (linear)  layers.{i}.{n1,n2} (layer norm)  pool [D,D]  head [3,D]
"""

from dataclasses import dataclass

import numpy as np
from safetensors.numpy import load_file

HEAD_SIZE = 32
# GELU never goes below -0.17: its rows need few steps under zero, which leaves nearly twice as many above it.
GELU_FLOOR, GELU_ZERO = 0.17, 24
WORDS = "word_embedding"
Tensors = dict[str, np.ndarray]


def named_tensors(path: str) -> Tensors:
    """The checkpoint in fp32 under the names that the graphs use. Matrices are input x output, as ONNX's MatMul family reads them."""
    source = {name: tensor.astype(np.float32) for name, tensor in load_file(path).items()}
    layers = 1 + max(int(name.split(".")[1]) for name in source if name.startswith("layers."))
    width = source["word.weight"].shape[1]
    tensors = {WORDS: source["word.weight"], "position_embedding": source["pos.weight"], "type_embedding": source["typ.weight"]}

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
        else:  # the last layer asks for the queries of first tokens only
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
    """`values * scales` restores the matrix: int8, symmetric, one scale a column of `values` (linear) or a row (embedding)."""

    values: np.ndarray
    scales: np.ndarray


def quantise(matrix: np.ndarray, axis: int) -> Quantised:
    """Symmetric int8 in -127..127 with one scale for each index of `axis`."""
    largest = np.abs(matrix).max(axis=1 - axis, keepdims=True)
    scales = (np.maximum(largest, 1e-12) / 127).astype(np.float32)
    values = np.clip(np.round(matrix / scales), -127, 127).astype(np.int8)
    return Quantised(values, scales.reshape(-1))


@dataclass(frozen=True)
class Weights:
    """Everything that the graphs read, under the names that the graphs use."""

    layers: int
    heads: int
    width: int
    positions: int
    floats: Tensors
    quantised: dict[str, Quantised]


def smoothing(matrix: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """[K,N], largest absolute inputs [K] -> what each column of inputs is multiplied by: inputs and rows of the matrix then have the same spread.

    In steps of a quarter of a power of two, so that the last bits of what was measured are no part of a pack.
    """
    rows = np.maximum(np.abs(matrix).max(axis=1), 1e-6)
    even = np.sqrt(rows / np.maximum(largest, 1e-6))
    return np.exp2(np.round(4 * np.log2(even)) / 4).astype(np.float32)


def quantised_weights(tensors: Tensors, largest: Tensors | None = None) -> Weights:
    """int8: word embedding and the large matrices. fp32: what is small (norms, biases, the head) and positions and types (0.8 MB, read once a token).

    largest: by product the largest inputs of each column, where inputs are to be multiplied by `<product>.smoothing` (smoothing.py) and the matrix is stored divided by it.
    """
    floats, quantised = {}, {}
    for name, tensor in tensors.items():
        base = name.removesuffix(".weight")
        if name == WORDS:
            quantised[name] = quantise(tensor, axis=0)
        elif name.endswith(".weight") and name != "head.weight":
            if largest and base in largest:
                floats[f"{base}.smoothing"] = smoothing(tensor, largest[base])
                tensor = tensor / floats[f"{base}.smoothing"][:, None]
            quantised[base] = quantise(tensor, axis=1)
        else:
            floats[name] = tensor
    layers = sum(name.endswith(".output_norm.gamma") for name in floats)
    positions, width = floats["position_embedding"].shape
    return Weights(layers, width // HEAD_SIZE, width, positions, floats, quantised)
