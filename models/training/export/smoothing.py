"""Which columns of its inputs a product should hand over to its weights, so that rounding a row of inputs to int8 loses less (SmoothQuant, Xiao et al. 2023).

A few columns of what a layer norm gives are twenty times as large as the others, and one scale a row is made for them. Divided by a factor, with the matrix's row multiplied by it, the product is the same and the
row is even.
"""

import json
from pathlib import Path

import torch

from reference import Reference
from text import reading_of, text_of
from tokenizer import TextTokenizer
from weights import Tensors

REQUESTS = Path(__file__).resolve().parents[1] / "golden" / "requests"
SMOOTHED = ("query_key_value", "query", "key_value", "intermediate")  # products that read a layer norm


class Observed(Reference):
    """largest: by product, of each column of its inputs the largest absolute value met so far [K]."""

    def __init__(self, tensors: Tensors):
        super().__init__(tensors)
        self.largest: dict[str, torch.Tensor] = {}

    def linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        if name.endswith(SMOOTHED):
            met = x.abs().amax(0)
            self.largest[name] = torch.maximum(self.largest.get(name, met), met)
        return super().linear(x, name)


def largest_inputs(tensors: Tensors) -> Tensors:
    """Over the questions of the golden requests: short texts of many kinds, none of them of the data folder."""
    network, ids = Observed(tensors), TextTokenizer().ids
    for path in sorted(REQUESTS.glob("*.json")):
        for request in json.loads(path.read_text("utf-8")):
            state = network.read_state(ids(text_of(request["state"])))
            for question in request["questions"].values():
                reading = reading_of(question)
                network.scores(state, ids(reading.instructions), [ids(option) for option in reading.options])
    return {name: largest.numpy() for name, largest in network.largest.items()}
