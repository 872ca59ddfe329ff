"""A graph that shows whether the processor's u8 x s8 product is exact. Some processors add pairs of products in int16, which saturates."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DEPTH, WIDTH = 64, 32


def probe_graph() -> onnx.ModelProto:
    """a [M,64] uint8 -> y [M,32] int32. If the product is exact, rows of 255 give 64 * 255 * 127 everywhere."""
    matrix = numpy_helper.from_array(np.full((DEPTH, WIDTH), 127, np.int8), "b")
    node = helper.make_node("MatMulInteger", ["a", "b"], ["y"], name="product")
    info = helper.make_tensor_value_info
    inputs, outputs = [info("a", TensorProto.UINT8, ["M", DEPTH])], [info("y", TensorProto.INT32, ["M", WIDTH])]
    graph = helper.make_graph([node], "probe", inputs, outputs, [matrix])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9, producer_name="umpire")
