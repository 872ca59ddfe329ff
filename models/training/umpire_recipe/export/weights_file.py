"""weights.bin: every tensor once, shared by all graphs."""

from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

from umpire_recipe.architecture import Settings, Tensors
from umpire_recipe.export.weights import Quantised, Weights

ALIGNMENT = 64  # bytes: a cache line, and the widest vector load


def stored_tensors(weights: Weights) -> dict[str, np.ndarray]:
    """The tensors in the order of the file, by the names that the graphs use."""
    tensors = dict(weights.floats)
    for name, matrix in weights.quantised.items():
        tensors[f"{name}.values"], tensors[f"{name}.scales"] = matrix.values, matrix.scales
    return {name: np.ascontiguousarray(tensors[name]) for name in sorted(tensors)}


def laid_out(tensors: dict[str, np.ndarray]) -> tuple[bytes, dict[str, tuple[int, np.ndarray]]]:
    """The bytes of the file, and for each tensor its offset in the file and its array."""
    content, places = bytearray(), {}
    for name, array in tensors.items():
        content += bytes(-len(content) % ALIGNMENT)
        places[name] = (len(content), array)
        content += array.tobytes()
    return bytes(content), places


def attach_stored(model: onnx.ModelProto, stored: set[str], places: dict[str, tuple[int, np.ndarray]], file_name: str) -> None:
    """Points the graph's stored tensors at their bytes in the weights file. places: offset and array by name."""
    for name in sorted(stored):
        offset, array = places[name]
        tensor = onnx.TensorProto(
            name=name, dims=array.shape, data_type=helper.np_dtype_to_tensor_dtype(array.dtype), data_location=onnx.TensorProto.EXTERNAL
        )
        for key, value in (("location", file_name), ("offset", offset), ("length", array.nbytes)):
            tensor.external_data.add(key=key, value=str(value))
        model.graph.initializer.append(tensor)


def tensors_in(pack: Path, manifest: dict) -> Tensors:
    """The tensors of a pack's weights file. Between them, the fp32 and the int8 graph read all of them."""
    stored = {}
    for precision in ("fp32", "int8"):
        graph = onnx.load(str(pack / manifest["graphs"][precision])).graph
        external = {
            tensor.name
            for tensor in onnx.load(str(pack / manifest["graphs"][precision]), load_external_data=False).graph.initializer
            if tensor.data_location == onnx.TensorProto.EXTERNAL
        }
        stored |= {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer if tensor.name in external}
    return stored


def weights_in(pack: Path, manifest: dict, settings: Settings) -> Weights:
    """The weights that a pack was exported from, as its weights file holds them."""
    stored = tensors_in(pack, manifest)
    names = {name.removesuffix(".values") for name in stored if name.endswith(".values")}
    quantised = {name: Quantised(stored.pop(f"{name}.values"), stored.pop(f"{name}.scales")) for name in sorted(names)}
    positions, width = stored["position_embedding"].shape
    return Weights(manifest["network"]["layers"], settings, width, positions, stored, quantised)
