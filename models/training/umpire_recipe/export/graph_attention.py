"""Attention of the segment graph: who reads whom in a window, in a question, and in a run of both."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from umpire_recipe.export.graph_layers import GraphLayers

Pair = Sequence[str]  # names of keys and values
# What the graph is told of each of several questions: where it begins and ends among these.
PLACES = ("token", "token_end", "first_token", "first_token_end", "mask", "mask_end")


class Own(NamedTuple):
    """A layer's tensors of the run's own tokens: queries [1,R,D] of all tokens or of `first_tokens`, keys and values [1,T,D] and, by head,
    [1, heads, T, d]."""

    query: str
    by_token: Pair
    by_head: Pair
    first_tokens: str | None


class GraphAttention(GraphLayers):
    """mask: name of the mask, in the graph's own type of number. In graphs for processors besides, [1] tensors: window_rows and
    question_rows, how many tokens are of a window and of the only question; has_no_window and has_no_question; questions, how many there
    are, and has_several."""

    mask: str

    def know_rows(self) -> None:
        """Makes what all layers know of the run's tokens."""
        self.mask = self.cast("mask", self.number)
        if self.gpu:
            return
        self.question_rows = self.op("Shape", ["mask"], start=2, end=3)
        self.window_rows = self.op("Sub", [self.row_count, self.question_rows])
        self.has_no_window = self.op("Equal", [self.window_rows, self.constant([0])])
        self.has_no_question = self.op("Equal", [self.question_rows, self.constant([0])])
        self.questions = self.op("Squeeze", [self.op("Shape", ["questions"], end=1)])
        self.has_several = self.op("Greater", [self.questions, self.constant(1)])

    def attended(self, query: str, by_token: Pair, past: Pair, first_tokens: str | None) -> tuple[str, Pair]:
        """query [1,R,D]; keys and values of the run [1,T,D] and of the past [1, heads, P, d] -> what is read [1,R,D]; the run's by head.

        first_tokens: the tokens whose queries these are; None if they are all tokens.
        """
        own = Own(query, by_token, [self.by_head(tensor) for tensor in by_token], first_tokens)
        if self.gpu:
            return self.read_in_parts(query, self.joined(past, own.by_head), self.mask_of(first_tokens)), own.by_head
        shape = [1, None, self.weights.width]
        read = self.either(
            self.has_no_question,
            lambda: self.read_window(own),
            lambda: self.either(
                self.has_several,
                lambda: self.read_questions(own, past),
                lambda: self.either(self.has_no_window, lambda: self.read_question(own, past), lambda: self.read_both(own), shape),
                shape,
            ),
            shape,
        )
        return read, own.by_head

    def read_window(self, own: Own) -> str:
        # Without a mask, onnxruntime computes attention in blocks, which is faster the longer the window is.
        return self.attention(own.query, own.by_token)

    def read_question(self, own: Own, past: Pair) -> str:
        """Given the past itself, the operator joins it with the run's own tokens, faster than operators before it would. It gives out what
        it joined, which nothing reads; but without these outputs it would leave out the past."""
        inputs = [own.query, *own.by_token, "", "", self.mask_of(own.first_tokens), *past]
        return self.contrib("MultiHeadAttention", inputs, outputs=3, num_heads=self.weights.heads)[0]

    def read_questions(self, own: Own, past: Pair) -> str:
        """Each question by itself, in operators of the sizes that it has in a run of its own."""

        def read_next(step: str, values: list[str]) -> list[str]:
            places = self.op("Squeeze", [self.op("Gather", ["questions", step]), self.constant([0])])
            each = {"outputs": len(PLACES), "num_outputs": len(PLACES)}
            start, end, first, first_end, mask_start, mask_end = self.op("Split", [places], axis=0, **each)
            mask = self.reshape(self.part(self.mask, mask_start, mask_end, 3), 1, 1, self.op("Sub", [end, start]), -1)
            if own.first_tokens:
                query = self.part(own.query, first, first_end, 1)
                rows = self.op("Sub", [self.part(own.first_tokens, first, first_end, 0), start])
                mask = self.op("Gather", [mask, rows], axis=2)
            else:
                query = self.part(own.query, start, end, 1)
            read = self.joined(past, [self.part(tensor, start, end, 2) for tensor in own.by_head])
            return [self.op("Concat", [*values, self.attention(query, read, mask)], axis=1)]

        nothing = self.constant(np.zeros((1, 0, self.weights.width)), np.float32)
        return self.loop(self.questions, [nothing], read_next, [[1, None, self.weights.width]])[0]

    def part(self, x: str, start: str, end: str, axis: int) -> str:
        return self.op("Slice", [x, start, end, self.constant([axis])])

    def read_both(self, own: Own) -> str:
        if own.first_tokens:  # all are a question's
            return self.attention(own.query, own.by_head, self.mask_of(own.first_tokens))
        sizes = self.op("Concat", [self.window_rows, self.question_rows], axis=0)
        of_window, of_question = self.op("Split", [own.query, sizes], outputs=2, axis=1)
        windows = [self.op("Slice", [tensor, self.constant([0]), self.window_rows, self.constant([1])]) for tensor in own.by_token]
        return self.op("Concat", [self.attention(of_window, windows), self.attention(of_question, own.by_head, self.mask)], axis=1)

    def attention(self, query: str, read: Pair, mask: str | None = None) -> str:
        inputs = [query, *read, *(["", "", mask] if mask else [])]
        return self.contrib("MultiHeadAttention", inputs, num_heads=self.weights.heads)

    def read_in_parts(self, query: str, read: Pair, mask: str) -> str:
        """The same in plain operators."""
        keys, values = read
        scaled = self.op("Mul", [self.by_head(query), self.constant(float(self.weights.head_size) ** -0.5, self.number)])
        scores = self.op("Add", [self.op("MatMul", [scaled, self.op("Transpose", [keys], perm=[0, 1, 3, 2])]), mask])
        mixed = self.op("MatMul", [self.op("Softmax", [scores], axis=3), values])
        return self.reshape(self.op("Transpose", [mixed], perm=[0, 2, 1, 3]), 1, -1, self.weights.width)

    def mask_of(self, first_tokens: str | None) -> str:
        """The mask's rows of these tokens, or all."""
        if first_tokens is None:
            return self.mask
        rows = first_tokens if self.gpu else self.op("Sub", [first_tokens, self.window_rows])
        return self.op("Gather", [self.mask, rows], axis=2)

    def joined(self, past: Pair, own: Pair) -> Pair:
        return [self.op("Concat", [before, part], axis=2) for before, part in zip(past, own, strict=True)]

    def by_head(self, x: str) -> str:
        """[1,T,D] -> [1, heads, T, d]"""
        return self.op("Transpose", [self.reshape(x, 1, -1, self.weights.heads, self.weights.head_size)], perm=[0, 2, 1, 3])
