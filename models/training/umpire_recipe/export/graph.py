"""The segment graph: reads a batch of segments, each of which sees itself and what was read before it.

What was read before is passed in as memories: the keys and values of its tokens. One graph serves all three roles, so one session
holds every weight once:

    state windows  [W,S]  see only themselves                 (both memories empty)
    a question     [1,I]  sees all state windows and itself   (state memory)
    its options    [K,L]  see state, question and themselves  (state memory, question memory)

Inputs    input_ids [B,L] int64 (0 is padding, at the end of a row), segment_type [1] int64 (0 state, 1 question, 2 option),
          first_position [1] int64, {state,question}.{i}.{key,value} [1, heads, memory, head size] float32
          webgpu graphs: {state,question}_mask [1] float32, added to the scores of that memory: 0, or MASKED for an empty memory (below)
Outputs   logits [B,3] float32 at each segment's first token, present.{i}.{key,value} [1, heads, B*L, head size] float32

The last layer computes keys and values of every token but attends from first tokens only, because nothing reads the others.

The graphs for WebGPU compute in floats over the same weights. They do without what GPUs lack: tensors without elements (an empty memory
is one masked row of zeros), int8, and some fused operators. In the fp16 graph everything after the embedding is fp16, but memories and
logits enter and leave as fp32.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from umpire_recipe.architecture import MASKED
from umpire_recipe.export.graph_layers import GraphLayers


class SegmentGraph(GraphLayers):
    def by_head(self, x: str, parts: int) -> list[str]:
        """[N, parts*D] -> parts of [1, heads, N, head size]"""
        split = self.reshape(x, -1, parts, self.weights.heads, self.weights.head_size)
        turned = self.op("Transpose", [split], perm=[1, 2, 0, 3])
        return self.op("Split", [turned], outputs=parts, axis=0, num_outputs=parts) if parts > 1 else [turned]

    def attended(self, query: str, memories: list[tuple[str, str]], own: tuple[str, str], rows: str, mask: str) -> str:
        """query [1, heads, B*R, d], memories [1, heads, P, d], own keys and values [1, heads, B*L, d] -> [B*R, D].

        A query row sees every memory row, and the rows of its own segment except padding.
        """
        heads, d = self.weights.heads, self.weights.head_size

        def per_segment(x: str, length: str) -> str:
            return self.reshape(x, heads, self.batch, length, d)

        own_key, own_value = (per_segment(x, self.length) for x in own)
        scores = [self.similar(query, key) for key, _ in memories]
        if self.gpu:
            scores = [self.op("Add", [score, mask_of]) for score, mask_of in zip(scores, self.memory_masks, strict=False)]
        own_scores = self.similar(per_segment(query, rows), own_key)
        scores.append(self.reshape(self.op("Add", [own_scores, mask]), 1, heads, -1, self.length))
        p = self.op("Softmax", [self.op("Concat", scores, axis=3)], axis=3)
        weights = self.op("Split", [p, self.lengths], outputs=len(scores), axis=3)
        own_weights = self.reshape(weights[-1], heads, self.batch, rows, self.length)
        total = self.reshape(self.op("MatMul", [own_weights, own_value]), 1, heads, -1, d)
        for part, (_, value) in zip(weights, memories, strict=False):
            total = self.op("Add", [total, self.op("MatMul", [part, value])])
        return self.reshape(self.op("Transpose", [total], perm=[0, 2, 1, 3]), -1, self.weights.width)

    def similar(self, query: str, key: str) -> str:
        """query key^T / sqrt(d), over the last two of four axes."""
        scale = float(self.weights.head_size) ** -0.5
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
        rows = self.reshape(placed, -1, self.weights.width)
        return self.op("LayerNormalization", [rows, gamma, beta], epsilon=self.weights.settings.epsilon)

    def build(self) -> onnx.ModelProto:
        w = self.weights
        shape = self.op("Shape", ["input_ids"])
        self.batch = self.op("Slice", [shape, self.constant([0]), self.constant([1])])
        self.length = self.op("Slice", [shape, self.constant([1]), self.constant([2])])
        # Made once for all layers: in runs of a few rows an operator costs more to start than to run.
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
            memories = [
                tuple(self.cast(f"{memory}.{i}.{part}", self.number) for part in ("key", "value")) for memory in ("state", "question")
            ]
            if i < w.layers - 1:
                query, *own = self.by_head(self.linear(x, f"{at}.query_key_value"), 3)
                read = self.attended(query, memories, own, self.length, mask)
            else:
                own = self.by_head(self.linear(x, f"{at}.key_value"), 2)
                x, self.row_count = self.first_tokens(x), self.batch
                [query] = self.by_head(self.linear(x, f"{at}.query"), 1)
                read = self.attended(query, memories, own, self.constant([1]), mask)
            outputs += [(f"present.{i}.{part}", self.fp32(tensor)) for part, tensor in zip(("key", "value"), own, strict=True)]
            x = self.normed(self.linear(read, f"{at}.attention_output"), x, f"{at}.attention_norm")
            hidden = self.gelu_of(self.rows_of(x, f"{at}.intermediate"), f"{at}.intermediate")
            x = self.normed(self.biased(self.gelu_rows_of(hidden), f"{at}.output"), x, f"{at}.output_norm")
        pooled = self.op("Tanh", [self.linear(x, "pooler")])
        logits = self.fp32(
            self.op("Add", [self.op("MatMul", [pooled, self.stored_numbers("head.weight")]), self.stored_numbers("head.bias")])
        )
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
                inputs += [info(f"{memory}.{i}.{part}", f32, [1, w.heads, f"{memory}_tokens", w.head_size]) for part in ("key", "value")]
        if self.gpu:
            inputs += [info(f"{memory}_mask", f32, [1]) for memory in ("state", "question")]
        infos = [info("logits", f32, ["B", 3])] + [info(name, f32, [1, w.heads, "tokens", w.head_size]) for name, _ in outputs[1:]]
        initializers = [numpy_helper.from_array(array, name) for name, array in sorted(self.constants.items())]
        graph = helper.make_graph(self.nodes, f"segments-{self.precision}", inputs, infos, initializers)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="umpire")
