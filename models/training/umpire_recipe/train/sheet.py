"""The packed sequences of a batch: tokens side by side, and which of them see one another."""

import numpy as np
from torch import Tensor

STATE, QUESTION, OPTION = 0, 1, 2
NO_SEGMENT, PADDING_SEGMENT, PADDING_ROLE = -2, -1, 9


class Sheet:
    """ids, positions, types [B,T]. A row is filled from left to right; the rest is padding, which sees itself.

    own: number of each token's segment in its row. parent: number of the question segment that an option reads.
    """

    def __init__(self, rows: int, length: int, cls_id: int, sep_id: int):
        self.cls_id, self.sep_id = cls_id, sep_id
        shape = (rows, length)
        self.ids, self.positions, self.types = (np.zeros(shape, np.int64) for _ in range(3))
        self.own, self.parent, self.role = (np.full(shape, value, np.int16) for value in (PADDING_SEGMENT, NO_SEGMENT, PADDING_ROLE))
        self.begin(0)

    def begin(self, row: int) -> None:
        self.row, self.column, self.number = row, 0, 0

    def put(self, tokens: np.ndarray, first_position: int, role: int, question: int = NO_SEGMENT) -> int:
        """Adds a segment of text tokens to the row, with special tokens. Returns the segment's number."""
        row, at = self.row, self.column
        end = at + len(tokens) + 2
        self.ids[row, at], self.ids[row, at + 1 : end - 1], self.ids[row, end - 1] = self.cls_id, tokens, self.sep_id
        self.positions[row, at:end] = np.arange(first_position, first_position + end - at)
        self.types[row, at:end] = self.role[row, at:end] = role
        self.own[row, at:end], self.parent[row, at:end] = self.number, question
        self.column, self.number = end, self.number + 1
        return self.number - 1


def sees(own: Tensor, parent: Tensor, role: Tensor) -> Tensor:
    """[B,T] three times -> [B,T,T] bool: tokens see their own segment; questions and options see the state; options see their question."""
    same = own[:, :, None] == own[:, None, :]
    state = (role[:, None, :] == STATE) & (role[:, :, None] > STATE)
    asked = parent[:, :, None] == own[:, None, :]
    return same | state | asked
