"""The segment graph: reads a sequence of segments, each of which sees itself, the question, and what was read before.

What was read before is passed in as keys and values of its tokens, the past. One graph serves two runs, so one session holds every
weight once:

    a window of the state       sees only itself                              (no past)
    a question and its options  see all windows; an option also sees itself   (past: the windows)
                                and its question

A mask says who sees whom, so the graph knows neither roles nor borders. On processors a run without a past needs none: it is a window,
which sees all of itself.

Inputs    input_ids, positions, segment_types [T] int64 (types: 0 state, 1 question, 2 option), first_tokens [N] int64 (the tokens whose
          logits are wanted), mask [1,1,T,P+T] float32 (added to attention scores: 0, or MASKED for what a token does not see),
          past.{i}.{key,value} [1, heads, P, head size] float32
Outputs   logits [1,N,3] float32, present.{i}.{key,value} [1, heads, T, head size] float32

The last layer computes keys and values of every token but attends from `first_tokens` only, because nothing reads the others.

The graphs for WebGPU compute in floats over the same weights. They do without what GPUs lack: tensors without elements (no past is one
masked row of zeros), int8, and some fused operators. In the fp16 graph everything after the embedding is fp16, but the past, the mask
and the logits enter and leave as fp32.
"""

import onnx
from onnx import TensorProto, helper, numpy_helper

from umpire_recipe.export.graph_layers import GraphLayers
from umpire_recipe.export.graph_nodes import in_branches


class SegmentGraph(GraphLayers):
    def attended(self, query: str, key: str, value: str, past: list[str], mask: str) -> tuple[str, str, str]:
        """query [1,R,D], key and value [1,T,D], past keys and values [1, heads, P, d] -> what is read [1,R,D]; key and value by head."""
        own = self.by_head(key), self.by_head(value)
        if not self.gpu:
            read = self.either(
                self.has_no_past,
                # Without a mask, onnxruntime computes attention in blocks, which is faster the longer the window is.
                lambda: self.contrib("MultiHeadAttention", [query, key, value], num_heads=self.weights.heads),
                # Given the past itself, the operator would return all keys and values, and hold a copy of the whole state's.
                lambda: self.contrib("MultiHeadAttention", [query, *self.joined(past, own), "", "", mask], num_heads=self.weights.heads),
                [1, None, self.weights.width],
            )
            return read, *own
        keys, values = self.joined(past, own)
        scaled = self.op("Mul", [self.by_head(query), self.constant(float(self.weights.head_size) ** -0.5, self.number)])
        scores = self.op("Add", [self.op("MatMul", [scaled, self.op("Transpose", [keys], perm=[0, 1, 3, 2])]), mask])
        read = self.op("MatMul", [self.op("Softmax", [scores], axis=3), values])
        return self.reshape(self.op("Transpose", [read], perm=[0, 2, 1, 3]), 1, -1, self.weights.width), *own

    def joined(self, past: list[str], own: tuple[str, str]) -> list[str]:
        return [self.op("Concat", [before, part], axis=2) for before, part in zip(past, own, strict=True)]

    def by_head(self, x: str) -> str:
        """[1,T,D] -> [1, heads, T, d]"""
        return self.op("Transpose", [self.reshape(x, 1, -1, self.weights.heads, self.weights.head_size)], perm=[0, 2, 1, 3])

    def embedded(self) -> str:
        """-> [1,T,D]"""
        values = self.op("Cast", [self.op("Gather", [self.stored_tensor("word_embedding.values"), "input_ids"])], to=TensorProto.FLOAT)
        scales = self.op("Gather", [self.stored_tensor("word_embedding.scales"), "input_ids"])
        x = self.op("Mul", [values, self.op("Unsqueeze", [scales, self.constant([1])])])
        for table, indexes in (("position_embedding", "positions"), ("type_embedding", "segment_types")):
            x = self.op("Add", [x, self.op("Gather", [self.stored_tensor(table), indexes])])
        gamma, beta = self.stored_tensor("embedding_norm.gamma"), self.stored_tensor("embedding_norm.beta")
        normed = self.op("LayerNormalization", [x, gamma, beta], epsilon=self.weights.settings.epsilon)
        return self.op("Unsqueeze", [normed, self.constant([0])])

    def build(self) -> onnx.ModelProto:
        w = self.weights
        # Made once for all layers: in runs of a few rows an operator costs more to start than to run.
        self.row_count = self.op("Shape", ["input_ids"])
        x, mask = self.cast(self.embedded(), self.number), self.cast("mask", self.number)
        if not self.gpu:
            past_rows = self.op("Shape", ["past.0.key"], start=2, end=3)
            self.has_no_past = self.op("Equal", [past_rows, self.constant([0])])
        outputs = []
        for i in range(w.layers):
            at = f"layer.{i}"
            past = [self.cast(f"past.{i}.{part}", self.number) for part in ("key", "value")]
            if i < w.layers - 1:
                query, *own = self.op("Split", [self.linear(x, f"{at}.query_key_value")], outputs=3, axis=2, num_outputs=3)
            else:
                own = self.op("Split", [self.linear(x, f"{at}.key_value")], outputs=2, axis=2, num_outputs=2)
                x, mask = self.op("Gather", [x, "first_tokens"], axis=1), self.op("Gather", [mask, "first_tokens"], axis=2)
                self.row_count = self.op("Shape", ["first_tokens"])
                query = self.linear(x, f"{at}.query")
            read, *present = self.attended(query, *own, past, mask)
            outputs += [(f"present.{i}.{part}", self.fp32(tensor)) for part, tensor in zip(("key", "value"), present, strict=True)]
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
        for node in [*self.nodes, *in_branches(self.nodes)]:
            for names in (node.input, node.output):
                names[:] = [inner_names.get(name, name) for name in names]
        info = helper.make_tensor_value_info
        inputs = [info(name, i64, ["T"]) for name in ("input_ids", "positions", "segment_types")] + [info("first_tokens", i64, ["N"])]
        inputs.append(info("mask", f32, [1, 1, "T", "seen"]))
        for i in range(w.layers):
            inputs += [info(f"past.{i}.{part}", f32, [1, w.heads, "P", w.head_size]) for part in ("key", "value")]
        infos = [info("logits", f32, [1, "N", 3])] + [info(name, f32, [1, w.heads, "T", w.head_size]) for name, _ in outputs[1:]]
        initializers = [numpy_helper.from_array(array, name) for name, array in sorted(self.constants.items())]
        graph = helper.make_graph(self.nodes, f"segments-{self.precision}", inputs, infos, initializers)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="umpire")
