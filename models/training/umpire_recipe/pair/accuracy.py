"""How often a pair model is right on held-out pairs."""

import random
from collections.abc import Callable
from pathlib import Path

import onnxruntime
import torch
from torch import Tensor

from umpire_recipe.pair.bert import INPUTS
from umpire_recipe.pair.pairs import Pair, PairBatch, batch_of, batches
from umpire_recipe.prepare.nli import NOT_ENTAILMENT

TOKENS = 8192  # at a time, padding included


@torch.no_grad()
def accuracy(logits_of: Callable[[PairBatch], Tensor], pairs: list[Pair]) -> float:
    """Share of right labels, 0 to 1. Where a pair says only that nothing is entailed, neutral and contradiction are both right."""
    right = 0
    for chosen in batches(pairs, TOKENS, random.Random(0)):
        batch = batch_of(chosen)
        found = logits_of(batch).argmax(1)
        two_way = batch.labels == NOT_ENTAILMENT
        right += int(torch.where(two_way, found != 0, found == batch.labels).sum())
    return right / len(pairs)


def graph_accuracy(folder: Path, pairs: list[Pair]) -> dict[str, float]:
    """The same of each graph of a folder in hub layout, by the file's name."""
    found = {}
    for path in sorted((folder / "onnx").glob("*.onnx")):
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])

        def logits_of(batch: PairBatch, session: onnxruntime.InferenceSession = session) -> Tensor:
            given = dict(zip(INPUTS, (batch.ids, batch.mask.long(), batch.types), strict=True))
            return torch.from_numpy(session.run(None, {name: tensor.numpy() for name, tensor in given.items()})[0])

        found[path.name] = accuracy(logits_of, pairs)
    return found
