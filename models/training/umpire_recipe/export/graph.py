"""The segment graph: reads a sequence of segments, each of which sees itself, the question, and what was read before.

What was read before is passed in as keys and values of its tokens, the past. One graph serves every run, so one session holds every
weight once:

    a window of the state       sees only itself                              (no past)
    a question and its options  see all windows; an option also sees itself   (past: the windows)
                                and its question
    both, one after the other   see the same; a question sees its window      (no past; on processors)
    several questions           see the same as each by itself                (past: the windows; on processors)

A mask says which tokens a question and its options see. A window needs none: it sees all of itself. Every operator but attention works on
each row by itself, and attention is computed for a window and each question apart. So a run of several gives the numbers of as many runs,
bit for bit.

Inputs    input_ids, positions, segment_types [T] int64 (types: 0 state, 1 question, 2 option), first_tokens [N] int64 (the tokens whose
          logits are wanted), mask [1,1,Q,P+T] float32 (for the last Q tokens, the question's; the others are a window. It is added to
          attention scores: 0, or MASKED for what a token does not see; of several questions [1,1,1,.], their masks one behind the other),
          questions [K,6] int64 (where each question with its options begins and ends among the tokens, the first tokens and the elements
          of the mask, which is read if there are several; processors only), past.{i}.{key,value} [1, heads, P, head size] float32
Outputs   logits [1,N,3] float32, present.{i}.{key,value} [1, heads, T, head size] float32

The last layer computes keys and values of every token but attends from `first_tokens` only, because nothing reads the others.

With relative positions, attention scores have a bias besides, by the distance of two tokens: a number a head, the same in all layers. It is
looked up once a run, in a table, by the difference of the tokens' positions, and joins the mask. Tokens of the state are always as far as
can be for a question and its options, in whichever window they stand.

The graphs for WebGPU compute in floats over the same weights. They do without what GPUs lack: int8, some fused operators, and tensors
without elements: no past is one masked row of zeros, and all tokens are in the mask. In the fp16 graph everything after the embedding is
fp16, but the past, the mask and the logits enter and leave as fp32.
"""

import onnx
from onnx import TensorProto, helper, numpy_helper

from umpire_recipe.export.graph_attention import PLACES, GraphAttention
from umpire_recipe.export.graph_nodes import in_branches


class SegmentGraph(GraphAttention):
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
        self.know_rows()
        if w.settings.is_relative:
            self.know_distances()
        x = self.cast(self.embedded(), self.number)
        outputs = []
        for i in range(w.layers):
            at, first_tokens = f"layer.{i}", None
            past = [self.cast(f"past.{i}.{part}", self.number) for part in ("key", "value")]
            if i < w.layers - 1:
                query, *own = self.op("Split", [self.linear(x, f"{at}.query_key_value")], outputs=3, axis=2, num_outputs=3)
            else:
                own = self.op("Split", [self.linear(x, f"{at}.key_value")], outputs=2, axis=2, num_outputs=2)
                first_tokens = "first_tokens"
                x = self.op("Gather", [x, first_tokens], axis=1)
                self.row_count = self.op("Shape", [first_tokens])
                query = self.linear(x, f"{at}.query")
            read, present = self.attended(query, own, past, first_tokens)
            outputs += [(f"present.{i}.{part}", self.fp32(tensor)) for part, tensor in zip(("key", "value"), present, strict=True)]
            x = self.normed(self.linear(read, f"{at}.attention_output"), x, f"{at}.attention_norm")
            hidden = self.gelu_of(self.rows_of(x, f"{at}.intermediate"), f"{at}.intermediate")
            x = self.normed(self.biased(self.gelu_rows_of(hidden), f"{at}.output"), x, f"{at}.output_norm")
        pooled = self.op("Tanh", [self.linear(x, "pooler") if w.settings.rounds_pooler else self.exact(x, "pooler")])
        logits = self.fp32(self.exact(pooled, "head"))
        outputs.insert(0, ("logits", logits))
        return self.model(outputs)

    def exact(self, x: str, name: str) -> str:
        """The linear layer of x by a matrix that is not quantised."""
        return self.op("Add", [self.op("MatMul", [x, self.stored_numbers(f"{name}.weight")]), self.stored_numbers(f"{name}.bias")])

    def model(self, outputs: list[tuple[str, str]]) -> onnx.ModelProto:
        w, f32, i64 = self.weights, TensorProto.FLOAT, TensorProto.INT64
        inner_names = {inner: name for name, inner in outputs}
        for node in [*self.nodes, *in_branches(self.nodes)]:
            for names in (node.input, node.output):
                names[:] = [inner_names.get(name, name) for name in names]
        info = helper.make_tensor_value_info
        inputs = [info(name, i64, ["T"]) for name in ("input_ids", "positions", "segment_types")] + [info("first_tokens", i64, ["N"])]
        inputs.append(info("mask", f32, [1, 1, "Q", "seen"]))
        if not self.gpu:
            inputs.append(info("questions", i64, ["K", len(PLACES)]))
        for i in range(w.layers):
            inputs += [info(f"past.{i}.{part}", f32, [1, w.heads, "P", w.head_size]) for part in ("key", "value")]
        infos = [info("logits", f32, [1, "N", 3])] + [info(name, f32, [1, w.heads, "T", w.head_size]) for name, _ in outputs[1:]]
        initializers = [numpy_helper.from_array(array, name) for name, array in sorted(self.constants.items())]
        graph = helper.make_graph(self.nodes, f"segments-{self.precision}", inputs, infos, initializers)
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="umpire")
