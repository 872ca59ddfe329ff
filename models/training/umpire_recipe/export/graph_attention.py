"""Attention of the segment graph: who reads whom in a window, in a question, and in a run of both."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from umpire_recipe.architecture import buckets_of_distances
from umpire_recipe.export.graph_layers import GraphLayers
from umpire_recipe.export.weights import DISTANCES

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
    are, and has_several.

    With relative positions the mask has a row for each of mask_heads, and holds the bias of distances, too. window_bias: that among the
    tokens of the window [1, heads, W, W].
    """

    mask: str
    mask_heads: int = 1
    window_bias: str | None = None

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

    def know_distances(self) -> None:
        """Adds to the mask the bias of distances, once for all layers."""
        settings, table = self.weights.settings, self.stored_numbers(DISTANCES)
        self.constants["distance_buckets"] = buckets_of_distances(len(self.weights.floats[DISTANCES]), settings.furthest)
        # Made when the session is created: a column a distance, the first is that of the furthest past.
        by_distance = self.op("Transpose", [self.op("Gather", [table, "distance_buckets"])], perm=[1, 0])  # [H, distances]
        furthest_past = self.reshape(self.op("Gather", [by_distance, self.constant([0])], axis=1), 1, self.weights.heads, 1, 1)
        mask, self.mask_heads = self.mask, self.weights.heads

        def within(positions: str) -> str:
            """The bias among tokens [N] of one window, or of one question and its options -> [1,H,N,N]."""
            read, reading = (self.op("Unsqueeze", [positions, self.constant([axis])]) for axis in (0, 1))
            apart = self.op("Clip", [self.op("Sub", [read, reading]), self.constant(-settings.furthest), self.constant(settings.furthest)])
            column = self.op("Add", [apart, self.constant(settings.furthest)])
            return self.op("Unsqueeze", [self.op("Gather", [by_distance, column], axis=1), self.constant([0])])

        def joined(positions: str, mask: str) -> str:
            """The mask of a question [1,1,Q,S+Q] with the bias, whatever it sees before it [1,H,Q,S+Q]."""
            seen = self.op("Sub", [self.op("Shape", [mask], start=3, end=4), self.op("Shape", [positions])])
            rows = self.op("Shape", [mask], start=2, end=3)
            far = self.op("Expand", [furthest_past, self.op("Concat", [self.constant([1, 1]), rows, seen], axis=0)])
            return self.op("Add", [self.op("Concat", [far, within(positions)], axis=3), mask])

        if self.gpu:
            self.mask = joined("positions", mask)
            return
        self.window_bias = within(self.part("positions", self.constant([0]), self.window_rows, 0))
        shape = [1, self.mask_heads, None, None]
        self.mask = self.either(
            self.has_several,
            lambda: self.joined_each(mask, joined),
            lambda: joined(self.part("positions", self.window_rows, self.row_count, 0), mask),
            shape,
        )

    def joined_each(self, mask: str, joined: Callable[[str, str], str]) -> str:
        """The masks of several questions [1,1,1,.], joined with the bias one by one [1,H,1,.]."""

        def join_next(step: str, values: list[str]) -> list[str]:
            start, end, _, _, mask_start, mask_end = self.places_of(step)
            own = self.reshape(self.part(mask, mask_start, mask_end, 3), 1, 1, self.op("Sub", [end, start]), -1)
            made = self.reshape(joined(self.part("positions", start, end, 0), own), 1, self.mask_heads, 1, -1)
            return [self.op("Concat", [*values, made], axis=3)]

        nothing = self.constant(np.zeros((1, self.mask_heads, 1, 0)), np.float32)
        return self.loop(self.questions, [nothing], join_next, [[1, self.mask_heads, 1, None]])[0]

    def places_of(self, step: str) -> list[str]:
        """What the graph is told of this question."""
        places = self.op("Squeeze", [self.op("Gather", ["questions", step]), self.constant([0])])
        return self.op("Split", [places], axis=0, outputs=len(PLACES), num_outputs=len(PLACES))

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
        bias = self.window_bias
        if bias and own.first_tokens:
            bias = self.op("Gather", [bias, own.first_tokens], axis=2)
        return self.attention(own.query, own.by_token, bias)

    def read_question(self, own: Own, past: Pair) -> str:
        """Given the past itself, the operator joins it with the run's own tokens, faster than operators before it would. It gives out what
        it joined, which nothing reads; but without these outputs it would leave out the past."""
        inputs = [own.query, *own.by_token, "", "", self.mask_of(own.first_tokens), *past]
        return self.contrib("MultiHeadAttention", inputs, outputs=3, num_heads=self.weights.heads)[0]

    def read_questions(self, own: Own, past: Pair) -> str:
        """Each question by itself, in operators of the sizes that it has in a run of its own."""

        def read_next(step: str, values: list[str]) -> list[str]:
            start, end, first, first_end, mask_start, mask_end = self.places_of(step)
            mask = self.part(self.mask, mask_start, mask_end, 3)
            mask = self.reshape(mask, 1, self.mask_heads, self.op("Sub", [end, start]), -1)
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
        return self.op(
            "Concat", [self.attention(of_window, windows, self.window_bias), self.attention(of_question, own.by_head, self.mask)], axis=1
        )

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
