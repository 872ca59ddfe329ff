"""Groups of a mix -> tensors of one training step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from windows import CLS, SEP

STATE, QUESTION, OPTION = 0, 1, 2
ROUND_TO = 8
POOL = 6000  # groups that are sorted by length together: less padding, and still every batch of every kind


@dataclass(frozen=True)
class Batch:
    """Inputs of Network.forward, and for each question its options in `logits`.

    option_at [Q,M] rows of logits, -1 where a question has fewer than M options; answers [Q]; kinds [Q]; labels [K] (for NLI, else -1);
    tokens: without padding.
    """

    ids: Tensor
    positions: Tensor
    types: Tensor
    mask: Tensor
    starts: tuple[Tensor, Tensor]
    option_at: Tensor
    answers: Tensor
    kinds: Tensor
    labels: Tensor
    tokens: int

    def to(self, device: str) -> "Batch":
        moved = {name: value.to(device, non_blocking=True) for name, value in vars(self).items() if isinstance(value, Tensor)}
        return Batch(**{**vars(self), **moved, "starts": tuple(part.to(device) for part in self.starts)})


class Mix:
    """The arrays of prepare/packed.py."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        for name, array in arrays.items():
            setattr(self, name, array.astype(np.int64) if name != "tokens" else array)
        self.size = len(self.group_windows_at) - 1
        lengths = np.diff(self.segment_at)
        windows = np.add.reduceat(lengths[self.windows] + 2, self.group_windows_at[:-1])
        options = np.add.reduceat(lengths[self.options] + 2, self.question_options_at[:-1])
        texts = lengths[self.question_text]
        questions = np.add.reduceat(options + texts + 2 * (texts > 0), self.group_questions_at[:-1])
        self.lengths = windows + questions  # tokens of each group, special ones included

    def segment(self, number: int) -> np.ndarray:
        return self.tokens[self.segment_at[number] : self.segment_at[number + 1]]

    def batches(self, chance: np.random.Generator, tokens: int) -> Iterator[list[int]]:
        """One pass over all groups: indices of each batch, of at most `tokens` padded tokens (one group may be longer)."""
        order = chance.permutation(self.size)
        for at in range(0, self.size, POOL):
            pool = order[at : at + POOL]
            pool = pool[np.argsort(self.lengths[pool] + chance.random(len(pool)) * ROUND_TO, kind="stable")]
            made, current, longest = [], [], 0
            for index in pool:
                longest = max(longest, padded(self.lengths[index]))
                if current and (len(current) + 1) * longest > tokens:
                    made.append(current)
                    current, longest = [], padded(self.lengths[index])
                current.append(int(index))
            if current:
                made.append(current)
            for number in chance.permutation(len(made)):
                yield made[number]

    def batch(self, groups: list[int]) -> Batch:
        longest = padded(max(self.lengths[group] for group in groups))
        shape = (len(groups), longest)
        ids, positions, types = (np.zeros(shape, np.int64) for _ in range(3))
        # own: number of a token's segment within its row; parent: number of the question segment that an option reads. Padding sees itself.
        own, parent, role = np.full(shape, -1), np.full(shape, -2), np.full(shape, 9)
        rows, columns, option_at, answers, kinds, labels = [], [], [], [], [], []
        for row, group in enumerate(groups):
            at, number = 0, 0

            def put(tokens: np.ndarray, first: int, kind: int, question: int = -2) -> int:
                nonlocal at, number
                end = at + len(tokens) + 2
                ids[row, at], ids[row, at + 1 : end - 1], ids[row, end - 1] = CLS, tokens, SEP
                positions[row, at:end] = np.arange(first, first + end - at)
                types[row, at:end] = role[row, at:end] = kind
                own[row, at:end], parent[row, at:end] = number, question
                at, number = end, number + 1
                return number - 1

            for window in self.windows[self.group_windows_at[group] : self.group_windows_at[group + 1]]:
                put(self.segment(window), 0, STATE)
            for question in range(self.group_questions_at[group], self.group_questions_at[group + 1]):
                text = self.segment(self.question_text[question])
                asked = put(text, 0, QUESTION) if len(text) else -2
                options = slice(self.question_options_at[question], self.question_options_at[question + 1])
                option_at.append(range(len(rows), len(rows) + options.stop - options.start))
                for option in self.options[options]:
                    rows.append(row)
                    columns.append(at)
                    put(self.segment(option), len(text) + 2 if len(text) else 0, OPTION, asked)
                answers.append(self.question_answer[question])
                kinds.append(self.question_kind[question])
                labels.append(self.option_label[options])
        sees = (own[:, :, None] == own[:, None, :]) | ((role[:, None, :] == STATE) & (role[:, :, None] > STATE)) | (parent[:, :, None] == own[:, None, :])
        most = max(map(len, option_at))
        return Batch(
            *(torch.from_numpy(array) for array in (ids, positions, types, sees)),
            starts=(torch.tensor(rows), torch.tensor(columns)),
            option_at=torch.tensor([[*places, *[-1] * (most - len(places))] for places in option_at]),
            answers=torch.tensor(np.array(answers)),
            kinds=torch.tensor(np.array(kinds)),
            labels=torch.from_numpy(np.concatenate(labels)),
            tokens=int(self.lengths[groups].sum()),
        )


def padded(length: int) -> int:
    return -(-int(length) // ROUND_TO) * ROUND_TO
