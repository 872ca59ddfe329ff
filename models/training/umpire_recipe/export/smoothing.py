"""How large the inputs of each product become, so that their columns can be evened out before int8 rounding.

A few columns of a layer norm's outputs are twenty times as large as the others, and the one scale of a row has to fit them. Dividing such a
column by a factor, and multiplying the matrix's row by it, leaves the product as it is but makes the row even, so that rounding loses less
(SmoothQuant, Xiao et al. 2023).
"""

import json
from pathlib import Path

import torch

from umpire_recipe.answering.reference import Reference
from umpire_recipe.architecture import Settings, Tensors
from umpire_recipe.reading.request_text import reading_of, text_of
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.reading.windows import Segments

REQUESTS = Path(__file__).resolve().parents[1] / "golden" / "requests"
SMOOTHED = ("query_key_value", "query", "key_value", "intermediate")  # products whose inputs come from a layer norm


class Observed(Reference):
    """Records inputs while it answers. largest: for each product the largest absolute value in each column of its inputs [K]."""

    def __init__(self, tensors: Tensors, settings: Settings, segments: Segments):
        super().__init__(tensors, settings, segments)
        self.largest: dict[str, torch.Tensor] = {}

    def linear(self, x: torch.Tensor, name: str) -> torch.Tensor:
        if name.endswith(SMOOTHED):
            met = x.abs().amax(0)
            self.largest[name] = torch.maximum(self.largest.get(name, met), met)
        return super().linear(x, name)


def largest_inputs(tensors: Tensors, settings: Settings, tokenizer: TextTokenizer) -> Tensors:
    """Measured on the golden requests: short texts of many kinds, none of them from the data folder."""
    network, ids = Observed(tensors, settings, Segments(tokenizer.cls_id, tokenizer.sep_id)), tokenizer.ids
    for path in sorted(REQUESTS.glob("*.json")):
        for request in json.loads(path.read_text("utf-8")):
            state = network.read_state(ids(text_of(request["state"])))
            for question in request["questions"].values():
                reading = reading_of(question)
                network.scores(state, ids(reading.instructions), [ids(option) for option in reading.options])
    return {name: largest.numpy() for name, largest in network.largest.items()}
