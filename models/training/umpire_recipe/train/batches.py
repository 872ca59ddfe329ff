"""Turns groups of a mix into the tensors of one training step."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from umpire_recipe.train.sheet import NO_SEGMENT, OPTION, QUESTION, STATE, Sheet, sees

UNKNOWN = -1  # the answer of a question that nobody answered
ROUND_TO = 8  # lengths are padded to a multiple of this
POOL = 6000  # groups sorted by length together: little padding, and still every batch has groups of all kinds


@dataclass(frozen=True)
class Batch:
    """Inputs of Network.forward, and where to find each question's options in its output.

    option_at [Q,M]: rows of the logits, -1 if a question has fewer than M options. answers [Q], UNKNOWN where nobody knows;
    kinds [Q]; labels [K]: for NLI, else -1.
    own, parent, role [B,T]: of each token, as in Sheet. tokens: number of tokens without padding.
    """

    ids: Tensor
    positions: Tensor
    types: Tensor
    own: Tensor
    parent: Tensor
    role: Tensor
    starts: tuple[Tensor, Tensor]
    option_at: Tensor
    answers: Tensor
    kinds: Tensor
    labels: Tensor
    tokens: int

    def to(self, device: str) -> "Batch":
        moved = {name: value.to(device, non_blocking=True) for name, value in vars(self).items() if isinstance(value, Tensor)}
        return Batch(**{**vars(self), **moved, "starts": tuple(part.to(device) for part in self.starts)})

    @property
    def mask(self) -> Tensor:
        """[B,T,T] bool, computed where the batch is: it is the largest tensor by far, and a card makes it faster than it could be sent."""
        return sees(self.own, self.parent, self.role)


class Mix:
    """The arrays of prepare/packed.py. lengths: tokens of each group, special tokens included."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        for name, array in arrays.items():
            setattr(self, name, array.astype(np.int64) if name != "tokens" else array)
        self.size = len(self.group_windows_at) - 1
        lengths = np.diff(self.segment_at)
        windows = np.add.reduceat(lengths[self.windows] + 2, self.group_windows_at[:-1])
        options = np.add.reduceat(lengths[self.options] + 2, self.question_options_at[:-1])
        texts = lengths[self.question_text]
        questions = np.add.reduceat(options + texts + 2 * (texts > 0), self.group_questions_at[:-1])
        self.lengths = windows + questions

    def segment(self, number: int) -> np.ndarray:
        return self.tokens[self.segment_at[number] : self.segment_at[number + 1]]

    def batches(
        self, chance: np.random.Generator, tokens: int, groups: np.ndarray | None = None, pool_size: int = POOL
    ) -> Iterator[list[int]]:
        """One pass over the groups (default: all), as indices of each batch of at most `tokens` padded tokens.

        A longer group is a batch of its own. pool_size: groups sorted by length together; larger batches need more for little padding.
        """
        order = chance.permutation(self.size if groups is None else groups)
        for at in range(0, len(order), pool_size):
            pool = order[at : at + pool_size]
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
        sheet = Sheet(len(groups), padded(max(self.lengths[group] for group in groups)), *self.special_tokens)
        rows, columns, option_at, answers, kinds, labels = [], [], [], [], [], []
        for row, group in enumerate(groups):
            sheet.begin(row)
            for window in self.windows[self.group_windows_at[group] : self.group_windows_at[group + 1]]:
                sheet.put(self.segment(window), 0, STATE)
            for question in range(self.group_questions_at[group], self.group_questions_at[group + 1]):
                text = self.segment(self.question_text[question])
                asked = sheet.put(text, 0, QUESTION) if len(text) else NO_SEGMENT
                options = slice(self.question_options_at[question], self.question_options_at[question + 1])
                option_at.append(range(len(rows), len(rows) + options.stop - options.start))
                for option in self.options[options]:
                    rows.append(row)
                    columns.append(sheet.column)
                    sheet.put(self.segment(option), len(text) + 2 if len(text) else 0, OPTION, asked)
                answers.append(self.question_answer[question])
                kinds.append(self.question_kind[question])
                labels.append(self.option_label[options])
        most = max(map(len, option_at))
        return Batch(
            *(torch.from_numpy(array) for array in (sheet.ids, sheet.positions, sheet.types, sheet.own, sheet.parent, sheet.role)),
            starts=(torch.tensor(rows), torch.tensor(columns)),
            option_at=torch.tensor([[*places, *[-1] * (most - len(places))] for places in option_at]),
            answers=torch.tensor(np.array(answers)),
            kinds=torch.tensor(np.array(kinds)),
            labels=torch.from_numpy(np.concatenate(labels)),
            tokens=int(self.lengths[groups].sum()),
        )


def padded(length: int) -> int:
    return -(-int(length) // ROUND_TO) * ROUND_TO
