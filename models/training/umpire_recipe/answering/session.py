"""Runs a pack's graphs with onnxruntime: a run for each window of the state, then one for a question and its options.

The engine reads a short state and its only question in one run, and several questions in one. Both give the same numbers, bit for bit.
"""

from pathlib import Path

import numpy as np
import onnxruntime

from umpire_recipe.architecture import MASKED
from umpire_recipe.reading.windows import segments_of

STATE, QUESTION, OPTION = 0, 1, 2
RUN_TOKENS = 128  # tokens of a run with options, unless its question takes more than half of them
KeysAndValues = dict[str, np.ndarray]  # past.{i}.{key,value}, of what was read before


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


def integer_product_is_exact(pack: Path, manifest: dict) -> bool:
    """Whether the processor's u8 x s8 product is. Where it saturates, as on x86 without VNNI, the int8 graph is silently wrong."""
    [product] = inference_session(pack / manifest["graphs"]["probe"]).run(None, {"a": np.full((1, 64), 255, np.uint8)})
    return bool((product == 64 * 255 * 127).all())


class PackSession:
    """One graph of a pack, as a `Network` (decider.py). As the engine, it takes int8's wide form where the product saturates."""

    def __init__(self, pack: Path, manifest: dict, precision: str, threads: int = 2):
        if precision == "int8" and not integer_product_is_exact(pack, manifest):
            precision = "int8-wide"
        self.session = inference_session(pack / manifest["graphs"][precision], threads)
        network, self.segments = manifest["network"], segments_of(manifest)
        self.masks_windows = precision.startswith("webgpu")  # no tensor may be empty there, the mask and the past of a window neither
        none = np.zeros((1, network["heads"], int(self.masks_windows), network["headSize"]), np.float32)
        self.nothing: KeysAndValues = {f"past.{i}.{part}": none for i in range(network["layers"]) for part in ("key", "value")}
        self.outputs = ["logits", *(name.replace("past", "present") for name in self.nothing)]

    def run(self, question: list[int], options: list[list[int]], past: KeysAndValues, role: int) -> tuple[np.ndarray, KeysAndValues]:
        """Runs a segment and the options that see it ([]: none). -> logits [1,N,3] at the first tokens of the options, or of the only
        segment; keys and values of all T tokens [1, heads, T, head size]."""
        logits, *present = self.session.run(self.outputs, self.feeds(question, options, past, role) | past)
        return logits, dict(zip(self.nothing, present, strict=True))

    def feeds(self, question: list[int], options: list[list[int]], past: KeysAndValues, role: int) -> dict[str, np.ndarray]:
        """What such a run is given beside the past."""
        segments = [question, *options] if question else options
        lengths = [len(segment) for segment in segments]
        ids, numbers = np.concatenate(segments).astype(np.int64), np.repeat(np.arange(len(segments)), lengths)
        starts = np.cumsum([0, *lengths[:-1]])
        is_option = numbers >= (1 if question else 0)
        positions = np.arange(len(ids)) - starts[numbers] + np.where(is_option, len(question), 0)
        before = next(iter(past.values())).shape[2]
        own = np.where((numbers[:, None] == numbers) | ~is_option, 0, MASKED).astype(np.float32)
        seen = np.full((len(ids), before), MASKED if past is self.nothing else 0, np.float32)
        mask = np.concatenate([seen, own], axis=1) if self.masks_windows or role != STATE else np.zeros((0, before + len(ids)), np.float32)
        feeds = {
            "input_ids": ids,
            "positions": positions,
            "segment_types": np.where(is_option, OPTION, role),
            "first_tokens": starts[-len(options) :] if options else starts,
            "mask": mask[None, None],
        }
        if not self.masks_windows:
            feeds["questions"] = np.zeros((int(role != STATE), 6), np.int64)  # one has the whole run
        return feeds

    def read_state(self, ids: list[int]) -> KeysAndValues:
        return self.read_windows(self.segments.windows(ids))

    def read_windows(self, windows: list[list[int]]) -> KeysAndValues:
        read = [self.run(window, [], self.nothing, STATE)[1] for window in windows]
        return {name: np.concatenate([window[name] for window in read], axis=2) for name in self.nothing}

    def values(self, state: KeysAndValues, instructions: list[int], layers: list[int]) -> tuple[np.ndarray, np.ndarray]:
        question = self.run(self.segments.segment(instructions), [], state, QUESTION)[1] if instructions else None

        def of(read: KeysAndValues) -> np.ndarray:
            by_layer = [read[f"past.{layer}.value"][0] for layer in layers]  # [heads, T, head size] each
            return np.concatenate([values.swapaxes(0, 1).reshape(values.shape[1], -1) for values in by_layer], axis=1)

        of_state = of(state)
        return of_state, of(question) if question else of_state[:0]

    def scores(self, state: KeysAndValues, instructions: list[int], options: list[list[int]]) -> np.ndarray:
        question = self.segments.segment(instructions) if instructions else []
        segments = [self.segments.segment(option) for option in options]
        score_of: dict[tuple[int, ...], np.float32] = {}
        for run in runs_of(segments, len(question)):
            score_of |= zip(map(tuple, run), scores_of(self.run(question, run, state, QUESTION)[0][0]), strict=True)
        return np.array([score_of[tuple(segment)] for segment in segments])


def runs_of(options: list[list[int]], question_tokens: int) -> list[list[list[int]]]:
    """The options of each run: as many as there is room for, at least one. The question is read again in each. Each text occurs once, in
    the engine's order, because an option's place in its run changes its score in the last bits."""
    most, runs, tokens = max(RUN_TOKENS, 2 * question_tokens), [], 0
    distinct = {tuple(option): option for option in options}.values()
    for option in sorted(distinct, key=lambda option: (len(option), option)):
        if not runs or tokens + len(option) > most:
            runs.append([])
            tokens = question_tokens
        runs[-1].append(option)
        tokens += len(option)
    return runs
