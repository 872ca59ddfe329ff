"""Runs a pack's graphs with onnxruntime as the engine does: one run each for the state, a question and its options."""

from pathlib import Path

import numpy as np
import onnxruntime

from umpire_recipe.architecture import MASKED
from umpire_recipe.reading.windows import segments_of

STATE, QUESTION, OPTION = 0, 1, 2
KeysAndValues = dict[str, np.ndarray]  # the present.{i}.{key,value} outputs of a run


def inference_session(path: Path, threads: int = 2) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # Extended optimisations fuse products with scales. Those fusions are slower here, and some are wrong for one scale a row.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def scores_of(logits: np.ndarray) -> np.ndarray:
    """Logits [K,3] of entailment, neutral, contradiction -> log-odds of entailment [K]."""
    return logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])


class PackSession:
    """One graph of a pack, as a `Network` (decider.py)."""

    def __init__(self, pack: Path, manifest: dict, precision: str, threads: int = 2):
        self.session = inference_session(pack / manifest["graphs"][precision], threads)
        network, self.segments = manifest["network"], segments_of(manifest)
        self.masked = precision.startswith("webgpu")
        none = np.zeros((1, network["heads"], int(self.masked), network["headSize"]), np.float32)
        self.nothing: KeysAndValues = {f"present.{i}.{part}": none for i in range(network["layers"]) for part in ("key", "value")}
        self.outputs = ["logits", *self.nothing]

    def run(
        self, rows: list[list[int]], kind: int, first_position: int, state: KeysAndValues, question: KeysAndValues
    ) -> tuple[np.ndarray, KeysAndValues]:
        """Runs segments of token ids. Returns logits at their first tokens, and the keys and values of all their tokens."""
        ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
        for row, tokens in zip(ids, rows, strict=True):
            row[: len(tokens)] = tokens
        feeds = {"input_ids": ids, "segment_type": np.array([kind]), "first_position": np.array([first_position])}
        for name, read_before in (("state", state), ("question", question)):
            feeds |= {key.replace("present", name): value for key, value in read_before.items()}
            if self.masked:
                feeds[f"{name}_mask"] = np.array([MASKED if read_before is self.nothing else 0], np.float32)
        logits, *present = self.session.run(self.outputs if kind != OPTION else ["logits"], feeds)
        return logits, dict(zip(self.nothing, present, strict=False))  # options have no keys and values

    def read_state(self, ids: list[int]) -> KeysAndValues:
        return self.run(self.segments.windows(ids), STATE, 0, self.nothing, self.nothing)[1]

    def values(self, state: KeysAndValues, instructions: list[int], layers: list[int]) -> tuple[np.ndarray, np.ndarray]:
        question = self.run([self.segments.segment(instructions)], QUESTION, 0, state, self.nothing)[1] if instructions else None

        def of(read: KeysAndValues) -> np.ndarray:
            by_layer = [read[f"present.{layer}.value"][0] for layer in layers]  # [heads, T, head size] each
            return np.concatenate([values.swapaxes(0, 1).reshape(values.shape[1], -1) for values in by_layer], axis=1)

        of_state = of(state)
        return of_state, of(question) if question else of_state[:0]

    def scores(self, state: KeysAndValues, instructions: list[int], options: list[list[int]]) -> np.ndarray:
        question, first_position = self.nothing, 0
        if instructions:
            first_position = len(instructions) + 2
            question = self.run([self.segments.segment(instructions)], QUESTION, 0, state, self.nothing)[1]
        logits, _ = self.run([self.segments.segment(option) for option in options], OPTION, first_position, state, question)
        return scores_of(logits)
