"""A mix on disk: every distinct segment once, as tokens, and which segments belong together.

One compressed .npz. tokens [N] uint16, or uint32 where the vocabulary
is larger: the text tokens of all segments, one after another. segment_at [S+1] uint32: where each begins.
Groups: group_windows_at and group_questions_at [G+1]; windows [.]: the segment of each state window.
Questions: question_text [Q]: segment, 0 for the empty one; question_kind [Q] uint8; question_answer [Q] int16; question_options_at [Q+1].
Options: options [.]: segment; option_label [.] int8: for NLI, else -1. special_tokens [2] uint32: [CLS] and [SEP].
"""

from pathlib import Path

import numpy as np

from umpire_recipe.prepare.asked import Group
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.reading.windows import overlapping

OVERLAP_TOKENS = 32
MOST_IN_TWO_BYTES = 2**16 - 1
INSTRUCTIONS_TOKENS, OPTION_TOKENS = 96, 64  # questions with longer texts are left out of training


class Segments:
    """Distinct token sequences, numbered in order of first use. Number 0 is the empty one."""

    def __init__(self, words: int) -> None:
        """words: size of the vocabulary."""
        self.numbers: dict[bytes, int] = {b"": 0}
        self.arrays: list[np.ndarray] = [np.zeros(0, np.min_scalar_type(max(words - 1, MOST_IN_TWO_BYTES)))]

    def number(self, ids: list[int] | np.ndarray) -> int:
        array = np.asarray(ids, self.arrays[0].dtype)
        key = array.tobytes()
        if key not in self.numbers:
            self.numbers[key] = len(self.arrays)
            self.arrays.append(array)
        return self.numbers[key]


def cut(ids: list[int], window: int, most: int) -> list[list[int]]:
    """Cuts windows as the engine does, but of training's sizes. Only the first `most` are kept."""
    return overlapping(ids, window, OVERLAP_TOKENS)[:most]


class Packer:
    def __init__(self, tokenizer: TextTokenizer):
        self.tokenizer, self.segments = tokenizer, Segments(tokenizer.words)
        self.known: dict[str, list[int]] = {}
        self.windows: list[int] = []
        self.windows_at, self.questions_at, self.options_at = [0], [0], [0]
        self.texts: list[int] = []
        self.kinds: list[int] = []
        self.answers: list[int] = []
        self.options: list[int] = []
        self.labels: list[int] = []
        self.left_out = 0

    def ids(self, text: str) -> list[int]:
        if text not in self.known:
            self.known[text] = self.tokenizer.ids(text)
        return self.known[text]

    def add(self, group: Group) -> tuple[int, int]:
        """Adds a group. Returns how many of its questions were used, and its tokens in training, special tokens included."""
        state = self.tokenizer.ids(group.state)
        tokens, before = 0, len(self.texts)
        for asked in group.asked:
            instructions, options = self.ids(asked.instructions), [self.ids(text) for text in asked.options]
            if len(instructions) > INSTRUCTIONS_TOKENS or max(map(len, options)) > OPTION_TOKENS:
                self.left_out += 1
                continue
            self.texts.append(self.segments.number(instructions))
            self.kinds.append(asked.kind)
            self.answers.append(asked.answer)
            self.options += [self.segments.number(option) for option in options]
            self.labels += asked.labels or [-1] * len(options)
            self.options_at.append(len(self.options))
            tokens += (len(instructions) + 2 if instructions else 0) + sum(len(option) + 2 for option in options)
        if len(self.texts) == before or not state:
            del self.texts[before:], self.kinds[before:], self.answers[before:], self.options_at[before + 1 :]
            del self.options[self.options_at[-1] :], self.labels[self.options_at[-1] :]
            return 0, 0
        windows = cut(state, group.window_tokens, group.max_windows)
        self.windows += [self.segments.number(window) for window in windows]
        self.windows_at.append(len(self.windows))
        self.questions_at.append(len(self.texts))
        return len(self.texts) - before, tokens + sum(len(window) + 2 for window in windows)

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            "tokens": np.concatenate(self.segments.arrays),
            "segment_at": np.cumsum([0, *map(len, self.segments.arrays)]).astype(np.uint32),
            "windows": np.array(self.windows, np.uint32),
            "group_windows_at": np.array(self.windows_at, np.uint32),
            "group_questions_at": np.array(self.questions_at, np.uint32),
            "question_text": np.array(self.texts, np.uint32),
            "question_kind": np.array(self.kinds, np.uint8),
            "question_answer": np.array(self.answers, np.int16),
            "question_options_at": np.array(self.options_at, np.uint32),
            "options": np.array(self.options, np.uint32),
            "option_label": np.array(self.labels, np.int8),
            "special_tokens": np.array([self.tokenizer.cls_id, self.tokenizer.sep_id], np.uint32),
        }

    def write(self, path: Path) -> None:
        np.savez_compressed(path, **self.arrays())
