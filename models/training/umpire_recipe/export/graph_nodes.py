"""Builds ONNX nodes: operators, constants and tensors of the weights file, all by name."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import onnx
from onnx import TensorProto, helper

from umpire_recipe.export.weights import Weights

PRECISIONS = ("int8", "int8-wide", "fp32", "webgpu-fp32", "webgpu-fp16")


class GraphNodes:
    """The nodes of one graph.

    rounded: whether matrix products are computed in int8. gpu: whether the graph is for WebGPU. number: the type of its floats.
    stored: names of the tensors that it reads from the weights file.
    """

    def __init__(self, weights: Weights, precision: str):
        assert precision in PRECISIONS, precision
        self.weights, self.precision = weights, precision
        self.rounded = precision.startswith("int8")
        self.gpu = precision.startswith("webgpu")
        self.number = np.float16 if precision == "webgpu-fp16" else np.float32
        self.nodes: list[onnx.NodeProto] = []
        self.made = 0
        self.constants: dict[str, np.ndarray] = {}
        self.stored: set[str] = set()

    def op(self, kind: str, inputs: list[str], domain: str = "", outputs: int = 1, **attributes) -> str | list[str]:
        names = [f"{kind}_{self.made}" + (f"_{k}" if outputs > 1 else "") for k in range(outputs)]
        self.made += 1
        self.nodes.append(helper.make_node(kind, inputs, names, name=names[0], domain=domain, **attributes))
        return names if outputs > 1 else names[0]

    def contrib(self, kind: str, inputs: list[str], **attributes) -> str:
        return self.op(kind, inputs, domain="com.microsoft", **attributes)

    def either(self, condition: str, then: Callable[[], str], otherwise: Callable[[], str], shape: list[int | None]) -> str:
        """A float tensor of this shape (None: any size), which the one or the other builds, by a [1] tensor of type bool."""
        return self.op("If", [condition], then_branch=self.branch(then, shape), else_branch=self.branch(otherwise, shape))

    def branch(self, build: Callable[[], str], shape: list[int | None]) -> onnx.GraphProto:
        outer, self.nodes = self.nodes, []
        built = build()
        output = helper.make_tensor_value_info(built, TensorProto.FLOAT, shape)
        inner, self.nodes = self.nodes, outer
        return helper.make_graph(inner, f"branch_{built}", [], [output])

    def loop(self, times: str, begin: list[str], step: Callable[[str, list[str]], list[str]], shapes: list[list[int | None]]) -> list[str]:
        """Values that begin as these float tensors, of these shapes (None: any size), after so many steps.

        times: [] int64. step: gets the number of the step, [1] int64, and the values so far, and builds the next ones.
        """
        self.made += 1
        at, going, *values = (f"loop_{self.made}_{name}" for name in ("step", "going", *(f"value_{k}" for k in range(len(begin)))))
        info = helper.make_tensor_value_info
        floats = [info(name, TensorProto.FLOAT, shape) for name, shape in zip(values, shapes, strict=True)]
        outer, self.nodes = self.nodes, []
        goes_on = self.op("Identity", [going])
        built = step(self.op("Unsqueeze", [at, self.constant([0])]), values)
        inner, self.nodes = self.nodes, outer
        outputs = [info(name, TensorProto.FLOAT, shape) for name, shape in zip(built, shapes, strict=True)]
        inputs = [info(at, TensorProto.INT64, []), info(going, TensorProto.BOOL, []), *floats]
        body = helper.make_graph(inner, f"body_{built[0]}", inputs, [info(goes_on, TensorProto.BOOL, []), *outputs])
        ended = self.op("Loop", [times, "", *begin], outputs=len(begin), body=body)
        return ended if len(begin) > 1 else [ended]

    def constant(self, value: list | float, dtype=np.int64) -> str:
        array = np.asarray(value, dtype)
        name = f"constant_{array.dtype}_{'_'.join(str(v) for v in array.reshape(-1))}_{array.ndim}d"
        self.constants[name] = array
        return name

    def stored_tensor(self, name: str) -> str:
        """A tensor of the weights file. A float tensor has its plain name, a quantised one is `name.values` and `name.scales`."""
        self.stored.add(name)
        return name

    def reshape(self, x: str, *dims: int | str) -> str:
        """dims: numbers, or names of [1] tensors that hold one."""
        if all(isinstance(d, int) for d in dims):
            return self.op("Reshape", [x, self.constant(list(dims))])
        parts = [self.constant([d]) if isinstance(d, int) else d for d in dims]
        return self.op("Reshape", [x, self.op("Concat", parts, axis=0)])

    def cast(self, x: str, dtype) -> str:
        """x, an fp32 tensor, in another type. Stored tensors are cast once, when the session is created."""
        return x if dtype == np.float32 else self.op("Cast", [x], to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))

    def fp32(self, x: str) -> str:
        """x in fp32, as outputs of the graph are."""
        return x if self.number == np.float32 else self.op("Cast", [x], to=TensorProto.FLOAT)

    def stored_numbers(self, name: str) -> str:
        """A float tensor of the weights file, in the graph's own type of number."""
        return self.cast(self.stored_tensor(name), self.number)


def in_branches(nodes: Iterable[onnx.NodeProto]) -> Iterator[onnx.NodeProto]:
    """The nodes of the branches of these nodes, and of the branches in those."""
    for node in nodes:
        for attribute in node.attribute:
            yield from attribute.g.node
            yield from in_branches(attribute.g.node)
