"""The whole network written plainly in torch, in fp32. Every graph and engine is tested against it.

Each question is one packed sequence [state windows | question | options] under one boolean mask. Nothing is shared between questions,
nothing is cached, and no code of the graphs is used.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch.nn.functional import gelu, layer_norm

from umpire_recipe.architecture import Settings, Tensors, buckets_of_distances
from umpire_recipe.reading.windows import Segments, segments_of

ROWS = 1024  # rows of the attention matrix at a time: the full matrix of 16,000 tokens does not fit in memory


def restored_tensors(pack: Path, manifest: dict) -> Tensors:
    """The pack's weights in fp32: int8 values times their scales and, row by row, the factors that the int8 graph applies to inputs."""
    model = onnx.load(str(pack / manifest["graphs"]["fp32"]))
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    tensors = {}
    for name, array in stored.items():
        if name.endswith(".values"):
            base = name.removesuffix(".values")
            scales = stored[f"{base}.scales"]
            if base == "word_embedding":
                tensors[base] = array.astype(np.float32) * scales[:, None]
            else:
                matrix = array.astype(np.float32) * scales
                tensors[f"{base}.weight"] = matrix * stored[f"{base}.smoothing"][:, None] if f"{base}.smoothing" in stored else matrix
        elif not name.endswith((".scales", ".smoothing")):
            tensors[name] = array
    return tensors


def settings_of(pack: Path, manifest: dict) -> Settings:
    """epsilon is read from the graph, because the manifest does not state it."""
    graph = onnx.load(str(pack / manifest["graphs"]["fp32"]), load_external_data=False).graph
    norms = [node for node in graph.node if node.op_type == "LayerNormalization"]
    [epsilon] = {attribute.f for node in norms for attribute in node.attribute if attribute.name == "epsilon"}
    return Settings(manifest["network"]["heads"], epsilon, manifest.get("relativePositions", {}).get("furthest"))


class Packed:
    """One question's sequence of T tokens: ids, positions and roles [T], and numbers [T] of the segments among those of one role."""

    def __init__(self, segments: Segments, state_windows: list[list[int]], instructions: list[int], options: list[list[int]]):
        ids, positions, roles, numbers, self.option_starts = [], [], [], [], []

        def add(tokens: list[int], first_position: int, role: int, number: int) -> None:
            ids.extend(tokens)
            positions.extend(range(first_position, first_position + len(tokens)))
            roles.extend([role] * len(tokens))
            numbers.extend([number] * len(tokens))

        for number, window in enumerate(state_windows):
            add(window, 0, 0, number)
        question = segments.segment(instructions) if instructions else []
        add(question, 0, 1, 0)
        for number, option in enumerate(options):
            self.option_starts.append(len(ids))
            add(segments.segment(option), len(question), 2, number)
        self.ids, self.positions, self.roles, self.numbers = (torch.tensor(values) for values in (ids, positions, roles, numbers))

    def mask(self, rows: slice) -> torch.Tensor:
        """[R,T] bool: which tokens each of these rows sees, namely its own segment and every token of an earlier role."""
        role, number = self.roles[rows, None], self.numbers[rows, None]
        return ((role == self.roles) & (number == self.numbers)) | (self.roles < role)

    def distances(self, rows: slice, furthest: int) -> torch.Tensor:
        """[R,T] int: how far each token is behind each of these rows, at most `furthest`. For questions and options, all of the state is
        furthest before."""
        far = (self.positions - self.positions[rows, None]).clamp(-furthest, furthest)
        return far.masked_fill((self.roles == 0) & (self.roles[rows, None] != 0), -furthest)


class Reference:
    """The network with tensors named as in export/weights.py, as a `Network` (decider.py)."""

    def __init__(self, tensors: Tensors, settings: Settings, segments: Segments):
        self.settings, self.segments = settings, segments
        self.tensors = {name: torch.from_numpy(np.array(tensor, np.float32)) for name, tensor in tensors.items()}
        self.buckets = None
        if settings.is_relative:
            self.buckets = torch.from_numpy(buckets_of_distances(len(self.tensors["distance_bias"]), settings.furthest))
        self.layers = sum(name.endswith(".output_norm.gamma") for name in tensors)

    def read_state(self, ids: list[int]) -> list[list[int]]:
        return self.segments.windows(ids)

    def linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return x @ self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]

    def normed(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return layer_norm(x, x.shape[-1:], self.tensors[f"{name}.gamma"], self.tensors[f"{name}.beta"], self.settings.epsilon)

    def attended(self, x: torch.Tensor, packed: Packed, layer: str) -> tuple[torch.Tensor, torch.Tensor]:
        """What each token gathers, and the values that it is gathered from, [T,D] each."""
        if f"{layer}.query_key_value.weight" in self.tensors:
            joined = self.linear(x, f"{layer}.query_key_value")
        else:
            joined = torch.cat([self.linear(x, f"{layer}.query"), self.linear(x, f"{layer}.key_value")], dim=-1)
        query, key, value = (
            part.unflatten(-1, (self.settings.heads, -1)).transpose(0, 1) for part in joined.chunk(3, dim=-1)
        )  # [heads, T, head size]
        parts = []
        for start in range(0, len(x), ROWS):
            rows = slice(start, start + ROWS)
            mask = packed.mask(rows)
            seen = mask.any(dim=0)  # leave out tokens that none of these rows sees: their weight would be zero
            scores = query[:, rows] @ key[:, seen].transpose(1, 2) / query.shape[-1] ** 0.5
            if self.buckets is not None:
                distances = packed.distances(rows, self.settings.furthest)[:, seen]
                scores += self.tensors["distance_bias"][self.buckets[distances + self.settings.furthest]].permute(2, 0, 1)
            parts.append(torch.softmax(scores.masked_fill(~mask[:, seen], float("-inf")), dim=-1) @ value[:, seen])
        return tuple(heads.transpose(0, 1).flatten(1) for heads in (torch.cat(parts, dim=1), value))

    @torch.inference_mode()
    def read(self, packed: Packed, values_of: Sequence[int] = ()) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """The last layer's vectors [T,D], and the values [T,D] of each layer in values_of, which ascend."""
        kept = []
        word, position, kind = (self.tensors[f"{name}_embedding"] for name in ("word", "position", "type"))
        x = self.normed(word[packed.ids] + position[packed.positions] + kind[packed.roles], "embedding_norm")
        for i in range(self.layers):
            layer = f"layer.{i}"
            gathered, values = self.attended(x, packed, layer)
            if i in values_of:
                kept.append(values)
            x = self.normed(x + self.linear(gathered, f"{layer}.attention_output"), f"{layer}.attention_norm")
            hidden = gelu(self.linear(x, f"{layer}.intermediate"))
            x = self.normed(x + self.linear(hidden, f"{layer}.output"), f"{layer}.output_norm")
        return x, kept

    def values(self, state_windows: list[list[int]], instructions: list[int], layers: list[int]) -> tuple[np.ndarray, np.ndarray]:
        packed = Packed(self.segments, state_windows, instructions, [])
        values = torch.cat(self.read(packed, layers)[1], dim=1)
        of_state, of_question = (values[packed.roles == role].numpy() for role in (0, 1))
        return of_state, of_question

    @torch.inference_mode()
    def logits(self, packed: Packed) -> torch.Tensor:
        """[K,3] at the first token of each option."""
        x, _ = self.read(packed)
        return self.linear(torch.tanh(self.linear(x[packed.option_starts], "pooler")), "head")

    def scores(self, state_windows: list[list[int]], instructions: list[int], options: list[list[int]]) -> np.ndarray:
        logits = self.logits(Packed(self.segments, state_windows, instructions, options))
        return (logits[:, 0] - torch.logsumexp(logits[:, 1:], dim=1)).numpy()


def pack_reference(pack: Path, manifest: dict) -> Reference:
    return Reference(restored_tensors(pack, manifest), settings_of(pack, manifest), segments_of(manifest))
