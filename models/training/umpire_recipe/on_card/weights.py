"""The weights to start from, small enough to travel: int8 with one scale a row.

Where they are of the sealed pack's backbone they travel as differences from that pack: it is in the repository and travels anyway, they are
close to it, and the differences compress to about half the size. Training mends the rounding.
"""

import lzma
from io import BytesIO
from pathlib import Path

import numpy as np

from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.answering.reference import restored_tensors
from umpire_recipe.architecture import Tensors
from umpire_recipe.export.weights import DISTANCES, quantise

# Plain bytes: no alignment, and the byte before says nothing about the next one.
XZ = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 0, "lp": 0, "pb": 0}]
# As in a pack, these are not rounded to int8; the pooler is not in packs with relative positions.
EXACT = ("pos.weight", "typ.weight", "head.weight", "pool.weight", "rel.weight")


def sealed_tensors(pack: Path) -> Tensors:
    """The weights of a pack in fp32, by the names of checkpoints: the inverse of export.weights.named_tensors."""
    stored = restored_tensors(pack, read_manifest(pack))
    found = {"word.weight": stored["word_embedding"], "pos.weight": stored["position_embedding"], "typ.weight": stored["type_embedding"]}

    def norm(name: str, at: str) -> None:
        found[f"{name}.weight"], found[f"{name}.bias"] = stored[f"{at}.gamma"], stored[f"{at}.beta"]

    def linear(name: str, *parts: str) -> None:
        found[f"{name}.weight"] = np.concatenate([stored[f"{part}.weight"] for part in parts], axis=1).T.copy()
        found[f"{name}.bias"] = np.concatenate([stored[f"{part}.bias"] for part in parts])

    norm("n", "embedding_norm")
    for i in range(sum(name.endswith(".output_norm.gamma") for name in stored)):
        at = f"layer.{i}"
        joined = [f"{at}.query_key_value"]
        linear(f"layers.{i}.qkv", *(joined if f"{joined[0]}.weight" in stored else (f"{at}.query", f"{at}.key_value")))
        for name, part in (("o", "attention_output"), ("f1", "intermediate"), ("f2", "output")):
            linear(f"layers.{i}.{name}", f"{at}.{part}")
        norm(f"layers.{i}.n1", f"{at}.attention_norm")
        norm(f"layers.{i}.n2", f"{at}.output_norm")
    linear("pool", "pooler")
    linear("head", "head")
    if DISTANCES in stored:
        found["rel.weight"] = stored[DISTANCES]
    return found


def layers_of(tensors: Tensors) -> int:
    return 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))


def deepened(tensors: Tensors, layers: int) -> Tensors:
    """The same network with more layers: each is repeated, so that of 6 layers 12 become 0, 0, 1, 1 and so on."""
    have = layers_of(tensors)
    if layers % have:
        raise ValueError(f"{have} layers cannot be repeated to make {layers}: use a multiple.")
    made = {name: tensor for name, tensor in tensors.items() if not name.startswith("layers.")}
    for i in range(layers):
        of = f"layers.{i * have // layers}."
        made |= {f"layers.{i}.{name.removeprefix(of)}": tensor for name, tensor in tensors.items() if name.startswith(of)}
    return made


def picked(tensors: Tensors, layers: list[int]) -> Tensors:
    """The same network with some of its layers, in this order."""
    made = {name: tensor for name, tensor in tensors.items() if not name.startswith("layers.")}
    for to, number in enumerate(layers):
        of = f"layers.{number}."
        made |= {f"layers.{to}.{name.removeprefix(of)}": tensor for name, tensor in tensors.items() if name.startswith(of)}
    return made


def expected_int8(near: Tensors, name: str, shape: tuple[int, ...], scales: np.ndarray) -> np.ndarray:
    """int8 values that the sealed pack's matrix would have with these scales; zeros if it has none of this shape."""
    matrix = near.get(name)
    if matrix is None or matrix.shape != shape:
        return np.zeros(shape, np.int8)
    return np.clip(np.round(matrix / scales[:, None]), -127, 127).astype(np.int8)


def as_deep_as(near: Tensors, tensors_layers: int) -> Tensors:
    return deepened(near, tensors_layers) if near and tensors_layers % layers_of(near) == 0 else near


def packed_weights(tensors: Tensors, near: Tensors) -> bytes:
    """A checkpoint's tensors as the bytes of a file. near: the sealed pack's; {} for weights of another backbone."""
    near, arrays = as_deep_as(near, layers_of(tensors)), {}
    for name, tensor in tensors.items():
        if tensor.ndim == 1 or name in EXACT:
            arrays[name] = tensor.astype(np.float16)
        else:
            quantised = quantise(tensor.astype(np.float32), axis=0)
            expected = expected_int8(near, name, tensor.shape, quantised.scales)
            # Differences wrap around in int8, and so does the sum that undoes them.
            arrays[f"{name}.values"], arrays[f"{name}.scales"] = quantised.values - expected, quantised.scales
    content = BytesIO()
    np.savez(content, **arrays)
    return lzma.compress(content.getvalue(), filters=XZ)


def unpacked_weights(content: bytes, near: Tensors) -> Tensors:
    """The tensors of `packed_weights` in fp32."""
    arrays = dict(np.load(BytesIO(lzma.decompress(content))))
    near, found = as_deep_as(near, layers_of(arrays)), {}
    for name, array in arrays.items():
        if name.endswith(".values"):
            base = name.removesuffix(".values")
            scales = arrays[f"{base}.scales"]
            values = array + expected_int8(near, base, array.shape, scales)
            found[base] = values.astype(np.float32) * scales[:, None]
        elif not name.endswith(".scales"):
            found[name] = array.astype(np.float32)
    return found
