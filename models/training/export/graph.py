"""The segment graph: reads a batch of segments, each of which sees itself and what was read before it.

One graph serves all three roles, so that every weight is held once by one session:

    state windows  [W,S]  see themselves alone            (both memories empty)
    a question     [1,I]  sees all state windows, itself  (state memory)
    its options    [K,L]  see state, question, themselves (state memory, question memory)

Inputs    input_ids [B,L] int64 (0 is padding, at the end of a row), segment_type [1] int64 (0 state, 1 question, 2 option),
          first_position [1] int64, {state,question}.{i}.{key,value} [1, heads, memory, head size] float32
          webgpu graphs: {state,question}_mask [1] float32, added to the scores of that memory: 0, or MASKED for a memory of nothing (below)
Outputs   logits [B,3] float32 at each segment's first token, present.{i}.{key,value} [1, heads, B*L, head size] float32

The last layer computes keys and values of every token but attends from first tokens only: nothing reads the rest.

The graphs for WebGPU compute in floats over the same weights. They differ in what GPUs lack: tensors of no elements (a memory of nothing is there one masked
row of zeros), int8, and some of the fused operators. In fp16 everything behind the embedding is fp16, but memories and logits cross as fp32.
"""

from typing import NamedTuple

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from weights import GELU_FLOOR, GELU_ZERO, HEAD_SIZE, Weights

MASKED = -1e4  # added to the score of padding: its softmax weight is then exactly 0 in fp32
MIDDLE = 128  # zero point of rows that lie on both sides of 0


class Rows(NamedTuple):
    """A quantised [M,K]: (values - zero point) * scales, by the names of uint8 [M,K] and float [M,1]. One scale a row: no row depends on another."""

    values: str
    scales: str
    zero_point: int


class SegmentGraph:
    def __init__(self, weights: Weights, precision: str):
        assert precision in ("int8", "int8-wide", "fp32", "webgpu-fp32", "webgpu-fp16"), precision
        self.weights, self.precision = weights, precision
        self.rounded = precision.startswith("int8")
        self.gpu = precision.startswith("webgpu")
        self.number = np.float16 if precision == "webgpu-fp16" else np.float32
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        self.stored: set[str] = set()
        self.zeros: dict[tuple[str, int], str] = {}

    # -- small pieces -------------------------------------------------------------------------------------------------

    def op(self, kind: str, inputs: list[str], domain: str = "", outputs: int = 1, **attributes) -> str | list[str]:
        names = [f"{kind}_{len(self.nodes)}" + (f"_{k}" if outputs > 1 else "") for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=names[0], domain=domain, **attributes))
        return names if outputs > 1 else names[0]

    def contrib(self, kind: str, inputs: list[str], **attributes) -> str:
        return self.op(kind, inputs, domain="com.microsoft", **attributes)

    def constant(self, value: list | float, dtype=np.int64) -> str:
        array = np.asarray(value, dtype)
        name = f"constant_{array.dtype}_{'_'.join(str(v) for v in array.reshape(-1))}_{array.ndim}d"
        self.constants[name] = array
        return name

    def stored_tensor(self, name: str) -> str:
        """A tensor of the weights file: a float one by its name, a quantised one as `name.values` and `name.scales`."""
        self.stored.add(name)
        return name

    def reshape(self, x: str, *dims: int | str) -> str:
        """Dims: a number, or the name of a [1] tensor that holds one."""
        if all(isinstance(d, int) for d in dims):
            return self.op("Reshape", [x, self.constant(list(dims))])
        parts = [self.constant([d]) if isinstance(d, int) else d for d in dims]
        return self.op("Reshape", [x, self.op("Concat", parts, axis=0)])

    def cast(self, x: str, dtype) -> str:
        """x in another type of number than fp32; stored tensors are cast once, when the session is made."""
        return x if dtype == np.float32 else self.op("Cast", [x], to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))

    def fp32(self, x: str) -> str:
        """What leaves the graph."""
        return x if self.number == np.float32 else self.op("Cast", [x], to=TensorProto.FLOAT)

    def stored_numbers(self, name: str) -> str:
        """A float tensor of the weights file in the graph's own type of number."""
        return self.cast(self.stored_tensor(name), self.number)

    # -- linear layers ------------------------------------------------------------------------------------------------

    def quantised(self, x: str, scales: str, zero_point: int) -> Rows:
        """One scale and one zero point a row; the zero points of equally many rows are made once."""
        key = (self.row_count, zero_point)
        if key not in self.zeros:
            self.zeros[key] = self.op("Expand", [self.constant([zero_point], np.uint8), self.row_count])
        return Rows(self.op("QuantizeLinear", [x, self.reshape(scales, -1), self.zeros[key]], axis=0), scales, zero_point)

    def rows_of(self, x: str, product: str) -> str | Rows:
        """x [M,K] as this product reads it. In fp32 the smoothing is part of the matrix."""
        if not self.rounded:
            return x
        if f"{product}.smoothing" in self.weights.floats:
            x = self.op("Mul", [x, self.stored_tensor(f"{product}.smoothing")])
        largest = self.op("ReduceMax", [self.op("Abs", [x]), self.constant([1])], keepdims=1)
        # A row of zeros has scale 0 and whatever values: its product is then 0 times something finite, which is right.
        return self.quantised(x, self.op("Mul", [largest, self.constant(1 / 127, np.float32)]), MIDDLE)

    def gelu_rows_of(self, x: str) -> str | Rows:
        """The same for what GELU gave."""
        if not self.rounded:
            return x
        largest = self.op("ReduceMax", [x, self.constant([1])], keepdims=1)
        above = self.op("Mul", [largest, self.constant(1 / (255 - GELU_ZERO), np.float32)])
        return self.quantised(x, self.op("Max", [above, self.constant(GELU_FLOOR / GELU_ZERO, np.float32)]), GELU_ZERO)

    def product(self, x: str | Rows, name: str) -> str:
        """x W, without the bias."""
        values, column_scales = self.stored_tensor(f"{name}.values"), self.stored_tensor(f"{name}.scales")
        if not self.rounded:
            # Folded into one fp32 matrix when the session is made. Not DequantizeLinear: onnxruntime fuses that with the product into int8 arithmetic.
            matrix = self.op("Mul", [self.op("Cast", [values], to=TensorProto.FLOAT), column_scales])
            if f"{name}.smoothing" in self.weights.floats:
                matrix = self.op("Mul", [self.op("Unsqueeze", [self.stored_tensor(f"{name}.smoothing"), self.constant([1])]), matrix])
            return self.op("MatMul", [x, self.cast(matrix, self.number)])
        zero = self.constant(0, np.int8)
        if self.precision == "int8-wide":
            # The same integers as uint8 around 128, folded at load, for processors whose u8 x s8 product saturates (ARCHITECTURE.md).
            shifted = self.op("Add", [self.op("Cast", [values], to=TensorProto.INT32), self.constant(128, np.int32)])
            values, zero = self.op("Cast", [shifted], to=TensorProto.UINT8), self.constant(128, np.uint8)
        # Column scales first, inside the product; row scales after it: onnxruntime's fusions take the other order for one scale a tensor.
        inputs = [x.values, values, self.constant(1, np.float32), column_scales, self.constant(x.zero_point, np.uint8), zero]
        return self.op("Mul", [self.contrib("MatMulIntegerToFloat", inputs), x.scales])

    def biased(self, x: str | Rows, name: str) -> str:
        return self.op("Add", [self.product(x, name), self.stored_numbers(f"{name}.bias")])

    def linear(self, x: str, name: str) -> str:
        """The linear layer of x [M,K]."""
        return self.biased(self.rows_of(x, name), name)

    def normed(self, x: str, skip: str, name: str) -> str:
        """Layer norm of x + skip. In single steps: SkipLayerNormalization takes twice as long on the CPU."""
        gamma, beta = self.stored_numbers(f"{name}.gamma"), self.stored_numbers(f"{name}.beta")
        return self.op("LayerNormalization", [self.op("Add", [x, skip]), gamma, beta], epsilon=1e-12)

    def gelu_of(self, x: str | Rows, name: str) -> str:
        """GELU of the linear layer of x."""
        if self.gpu:
            return self.contrib("Gelu", [self.biased(x, name)])
        return self.contrib("BiasGelu", [self.product(x, name), self.stored_tensor(f"{name}.bias")])

    # -- the network --------------------------------------------------------------------------------------------------

    def by_head(self, x: str, parts: int) -> list[str]:
        """[N, parts*D] -> parts of [1, heads, N, head size]"""
        split = self.reshape(x, -1, parts, self.weights.heads, HEAD_SIZE)
        turned = self.op("Transpose", [split], perm=[1, 2, 0, 3])
        return self.op("Split", [turned], outputs=parts, axis=0, num_outputs=parts) if parts > 1 else [turned]

    def attended(self, query: str, memories: list[tuple[str, str]], own: tuple[str, str], rows: str, mask: str) -> str:
        """query [1, heads, B*R, d], memories [1, heads, P, d], own keys and values [1, heads, B*L, d] -> [B*R, D].
        A query row sees every memory row, and the own rows of its segment that are no padding."""
        heads, d = self.weights.heads, HEAD_SIZE
        per_segment = lambda x, length: self.reshape(x, heads, self.batch, length, d)
        own_key, own_value = (per_segment(x, self.length) for x in own)
        scores = [self.similar(query, key) for key, _ in memories]
        if self.gpu:
            scores = [self.op("Add", [score, mask_of]) for score, mask_of in zip(scores, self.memory_masks)]
        own_scores = self.similar(per_segment(query, rows), own_key)
        scores.append(self.reshape(self.op("Add", [own_scores, mask]), 1, heads, -1, self.length))
        p = self.op("Softmax", [self.op("Concat", scores, axis=3)], axis=3)
        weights = self.op("Split", [p, self.lengths], outputs=len(scores), axis=3)
        own_weights = self.reshape(weights[-1], heads, self.batch, rows, self.length)
        total = self.reshape(self.op("MatMul", [own_weights, own_value]), 1, heads, -1, d)
        for part, (_, value) in zip(weights, memories):
            total = self.op("Add", [total, self.op("MatMul", [part, value])])
        return self.reshape(self.op("Transpose", [total], perm=[0, 2, 1, 3]), -1, self.weights.width)

    def similar(self, query: str, key: str) -> str:
        """query key^T / sqrt(d), of the last two of four axes."""
        scale = float(HEAD_SIZE) ** -0.5
        if not self.gpu:
            return self.contrib("FusedMatMul", [query, key], alpha=scale, transB=1)
        scaled = self.op("Mul", [query, self.constant(scale, self.number)])
        return self.op("MatMul", [scaled, self.op("Transpose", [key], perm=[0, 1, 3, 2])])

    def first_tokens(self, x: str) -> str:
        """[B*L, D] -> [B, D]"""
        return self.op("Gather", [self.reshape(x, self.batch, self.length, self.weights.width), self.constant(0)], axis=1)

    def embedded(self) -> str:
        flat = self.reshape("input_ids", -1)
        values = self.op("Cast", [self.op("Gather", [self.stored_tensor("word_embedding.values"), flat])], to=TensorProto.FLOAT)
        scales = self.op("Gather", [self.stored_tensor("word_embedding.scales"), flat])
        words = self.op("Mul", [values, self.op("Unsqueeze", [scales, self.constant([1])])])
        end = self.op("Add", ["first_position", self.length])
        positions = self.op("Slice", [self.stored_tensor("position_embedding"), "first_position", end, self.constant([0])])
        place = self.op("Add", [positions, self.op("Gather", [self.stored_tensor("type_embedding"), "segment_type"])])
        placed = self.op("Add", [self.reshape(words, self.batch, self.length, self.weights.width), place])
        gamma, beta = self.stored_tensor("embedding_norm.gamma"), self.stored_tensor("embedding_norm.beta")
        return self.op("LayerNormalization", [self.reshape(placed, -1, self.weights.width), gamma, beta], epsilon=1e-12)

    def build(self) -> onnx.ModelProto:
        w = self.weights
        shape = self.op("Shape", ["input_ids"])
        self.batch = self.op("Slice", [shape, self.constant([0]), self.constant([1])])
        self.length = self.op("Slice", [shape, self.constant([1]), self.constant([2])])
        # What every layer needs is made once: in runs of a few rows each operator costs more to start than to run.
        self.row_count = self.op("Mul", [self.batch, self.length])
        sizes = [self.op("Shape", [f"{memory}.0.key"], start=2, end=3) for memory in ("state", "question")]
        self.lengths = self.op("Concat", [*sizes, self.length], axis=0)
        padding = self.op("Cast", [self.op("Equal", ["input_ids", self.constant(0)])], to=TensorProto.FLOAT)
        masked = self.cast(self.op("Mul", [padding, self.constant(MASKED, np.float32)]), self.number)
        mask = self.op("Unsqueeze", [masked, self.constant([0, 2])])  # [1, B, 1, L]
        self.memory_masks = [self.cast(f"{memory}_mask", self.number) for memory in ("state", "question")] if self.gpu else []
        x = self.cast(self.embedded(), self.number)
        outputs = []
        for i in range(w.layers):
            at = f"layer.{i}"
            memories = [tuple(self.cast(f"{memory}.{i}.{part}", self.number) for part in ("key", "value")) for memory in ("state", "question")]
            if i < w.layers - 1:
                query, *own = self.by_head(self.linear(x, f"{at}.query_key_value"), 3)
                read = self.attended(query, memories, own, self.length, mask)
            else:
                own = self.by_head(self.linear(x, f"{at}.key_value"), 2)
                x, self.row_count = self.first_tokens(x), self.batch
                [query] = self.by_head(self.linear(x, f"{at}.query"), 1)
                read = self.attended(query, memories, own, self.constant([1]), mask)
            outputs += [(f"present.{i}.{part}", self.fp32(tensor)) for part, tensor in zip(("key", "value"), own)]
            x = self.normed(self.linear(read, f"{at}.attention_output"), x, f"{at}.attention_norm")
            hidden = self.gelu_of(self.rows_of(x, f"{at}.intermediate"), f"{at}.intermediate")
            x = self.normed(self.biased(self.gelu_rows_of(hidden), f"{at}.output"), x, f"{at}.output_norm")
        pooled = self.op("Tanh", [self.linear(x, "pooler")])
        logits = self.fp32(self.op("Add", [self.op("MatMul", [pooled, self.stored_numbers("head.weight")]), self.stored_numbers("head.bias")]))
        outputs.insert(0, ("logits", logits))
        return self.model(outputs)

    def model(self, outputs: list[tuple[str, str]]) -> onnx.ModelProto:
        w, f32, i64 = self.weights, TensorProto.FLOAT, TensorProto.INT64
        inner_names = {inner: name for name, inner in outputs}
        for node in self.nodes:
            for names in (node.input, node.output):
                names[:] = [inner_names.get(name, name) for name in names]
        info = helper.make_tensor_value_info
        inputs = [info("input_ids", i64, ["B", "L"]), info("segment_type", i64, [1]), info("first_position", i64, [1])]
        for memory in ("state", "question"):
            for i in range(w.layers):
                inputs += [info(f"{memory}.{i}.{part}", f32, [1, w.heads, f"{memory}_tokens", HEAD_SIZE]) for part in ("key", "value")]
        if self.gpu:
            inputs += [info(f"{memory}_mask", f32, [1]) for memory in ("state", "question")]
        infos = [info("logits", f32, ["B", 3])] + [info(name, f32, [1, w.heads, "tokens", HEAD_SIZE]) for name, _ in outputs[1:]]
        initializers = [numpy_helper.from_array(array, name) for name, array in sorted(self.constants.items())]
        graph = helper.make_graph(self.nodes, f"segments-{self.precision}", inputs, infos, initializers)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="umpire")


def attach_stored(model: onnx.ModelProto, stored: set[str], places: dict[str, tuple[int, np.ndarray]], file_name: str) -> None:
    """Points the graph's stored tensors at their bytes in the weights file: `places` gives offset and array by name."""
    for name in sorted(stored):
        offset, array = places[name]
        tensor = onnx.TensorProto(name=name, dims=array.shape, data_type=helper.np_dtype_to_tensor_dtype(array.dtype), data_location=TensorProto.EXTERNAL)
        for key, value in (("location", file_name), ("offset", offset), ("length", array.nbytes)):
            tensor.external_data.add(key=key, value=str(value))
        model.graph.initializer.append(tensor)
