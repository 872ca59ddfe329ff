"""Linear layers, layer norm and GELU, in int8 or in floats.

In int8, every row of inputs has a scale of its own, so no row depends on another.
"""

from typing import NamedTuple

import numpy as np
from onnx import TensorProto

from umpire_recipe.architecture import GELU_FLOOR, GELU_ZERO
from umpire_recipe.export.graph_nodes import GraphNodes
from umpire_recipe.export.weights import Weights

MIDDLE = 128  # zero point of rows with values on both sides of 0


class Rows(NamedTuple):
    """Names of a quantised [1,M,K]: (values - zero point) * scales, with values uint8 [1,M,K] and scales float [1,M,1]."""

    values: str
    scales: str
    zero_point: int


class GraphLayers(GraphNodes):
    """row_count: name of the [1] tensor that holds the number of rows of the current inputs."""

    row_count: str

    def __init__(self, weights: Weights, precision: str):
        super().__init__(weights, precision)
        self.zeros: dict[tuple[str, int], str] = {}

    def quantised(self, x: str, scales: str, zero_point: int) -> Rows:
        """Quantises x with one scale and one zero point a row. The zero points of equally many rows are made once."""
        key = (self.row_count, zero_point)
        if key not in self.zeros:
            self.zeros[key] = self.op("Expand", [self.constant([zero_point], np.uint8), self.row_count])
        return Rows(self.op("QuantizeLinear", [x, self.reshape(scales, -1), self.zeros[key]], axis=1), scales, zero_point)

    def rows_of(self, x: str, product: str) -> str | Rows:
        """x [1,M,K] as this product reads it. Graphs in floats have the smoothing in the matrix."""
        if not self.rounded:
            return x
        if f"{product}.smoothing" in self.weights.floats:
            x = self.op("Mul", [x, self.stored_tensor(f"{product}.smoothing")])
        largest = self.op("ReduceMax", [self.op("Abs", [x]), self.constant([2])], keepdims=1)
        # A row of zeros has scale 0 and arbitrary finite values, so its product is 0, as it should be.
        return self.quantised(x, self.op("Mul", [largest, self.constant(1 / 127, np.float32)]), MIDDLE)

    def gelu_rows_of(self, x: str) -> str | Rows:
        """The same for outputs of GELU."""
        if not self.rounded:
            return x
        largest = self.op("ReduceMax", [x, self.constant([2])], keepdims=1)
        above = self.op("Mul", [largest, self.constant(1 / (255 - GELU_ZERO), np.float32)])
        return self.quantised(x, self.op("Max", [above, self.constant(GELU_FLOOR / GELU_ZERO, np.float32)]), GELU_ZERO)

    def product(self, x: str | Rows, name: str) -> str:
        """x W, without the bias."""
        values, column_scales = self.stored_tensor(f"{name}.values"), self.stored_tensor(f"{name}.scales")
        if not self.rounded:
            # Folded into one fp32 matrix when the session is created. DequantizeLinear would not do: onnxruntime fuses it with the product
            # into int8 arithmetic.
            matrix = self.op("Mul", [self.op("Cast", [values], to=TensorProto.FLOAT), column_scales])
            if f"{name}.smoothing" in self.weights.floats:
                matrix = self.op("Mul", [self.op("Unsqueeze", [self.stored_tensor(f"{name}.smoothing"), self.constant([1])]), matrix])
            return self.op("MatMul", [x, self.cast(matrix, self.number)])
        zero = self.constant(0, np.int8)
        if self.precision == "int8-wide":
            # The same integers as uint8 around 128, folded at load, for processors whose u8 x s8 product saturates (ARCHITECTURE.md).
            shifted = self.op("Add", [self.op("Cast", [values], to=TensorProto.INT32), self.constant(128, np.int32)])
            values, zero = self.op("Cast", [shifted], to=TensorProto.UINT8), self.constant(128, np.uint8)
        # Column scales go inside the product, row scales after it. onnxruntime's fusions take the other order for one scale a tensor.
        inputs = [x.values, values, self.constant(1, np.float32), column_scales, self.constant(x.zero_point, np.uint8), zero]
        return self.op("Mul", [self.contrib("MatMulIntegerToFloat", inputs), x.scales])

    def biased(self, x: str | Rows, name: str) -> str:
        return self.op("Add", [self.product(x, name), self.stored_numbers(f"{name}.bias")])

    def linear(self, x: str, name: str) -> str:
        """The linear layer of x [1,M,K]."""
        return self.biased(self.rows_of(x, name), name)

    def normed(self, x: str, skip: str, name: str) -> str:
        """Layer norm of x + skip, as two nodes: SkipLayerNormalization takes twice as long on the CPU."""
        gamma, beta = self.stored_numbers(f"{name}.gamma"), self.stored_numbers(f"{name}.beta")
        return self.op("LayerNormalization", [self.op("Add", [x, skip]), gamma, beta], epsilon=self.weights.settings.epsilon)

    def gelu_of(self, x: str | Rows, name: str) -> str:
        """GELU of the linear layer of x."""
        if self.gpu:
            return self.contrib("Gelu", [self.biased(x, name)])
        return self.contrib("BiasGelu", [self.product(x, name), self.stored_tensor(f"{name}.bias")])
