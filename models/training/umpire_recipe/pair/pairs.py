"""The rows of the NLI sets as one sequence each: [CLS] premise [SEP] hypothesis [SEP]."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from umpire_recipe.prepare.holdout import is_held_out
from umpire_recipe.prepare.nli import CORE, LABELS
from umpire_recipe.prepare.sources import nli_rows
from umpire_recipe.reading.tokenizer import TextTokenizer

TUNED_ON = "mnli_merged"  # whose held-out premises tell how good the model is
SPECIAL_TOKENS = 3
LONGEST = 256  # tokens of a pair in training, special tokens included
LONGEST_HYPOTHESIS = 96  # pairs with longer ones are left out
OTHER_ROWS = 1500  # of each narrower set in a pass
ROUND_TO = 8  # lengths are padded to a multiple of this
POOL = 4000  # pairs sorted by length together: little padding, and still every batch has pairs of all kinds


@dataclass(frozen=True)
class Pair:
    """ids: with special tokens. hypothesis_at: where the second segment begins. label: as in prepare/nli.py."""

    ids: list[int]
    hypothesis_at: int
    label: int

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class PairBatch:
    """ids, positions, types [B,T] int64; mask [B,T] bool, false for padding; labels [B]."""

    ids: Tensor
    positions: Tensor
    types: Tensor
    mask: Tensor
    labels: Tensor


class PairReader:
    """Reads the `train` folder of the NLI sets. Held-out premises (prepare/holdout.py) are for choosing, and are never trained on."""

    def __init__(self, data: Path, tokenizer: TextTokenizer):
        self.paths = sorted((data / "nli" / "train").glob("*.gz"))
        self.tokenizer, self.known = tokenizer, {}

    def ids(self, text: str) -> list[int]:
        if text not in self.known:
            self.known[text] = self.tokenizer.ids(text)
        return self.known[text]

    def read(self, path: Path, held_out: bool) -> list[tuple[int, str, str]]:
        rows = ((LABELS.get(label), premise, hypothesis) for label, premise, hypothesis in nli_rows(path))
        return [row for row in rows if row[0] is not None and is_held_out(row[1]) == held_out]

    def pairs(self, rows: list[tuple[int, str, str]]) -> list[Pair]:
        """A premise that is too long is cut at its end, a hypothesis never."""
        made, cls_id, sep_id = [], self.tokenizer.cls_id, self.tokenizer.sep_id
        for label, premise, hypothesis in rows:
            asked = self.ids(hypothesis)
            if 0 < len(asked) <= LONGEST_HYPOTHESIS:
                stated = [cls_id, *self.ids(premise)[: LONGEST - SPECIAL_TOKENS - len(asked)], sep_id]
                made.append(Pair([*stated, *asked, sep_id], len(stated), label))
        return made

    def trained_on(self, chance: random.Random) -> list[Pair]:
        """A pass: the broad sets whole, and some rows of each narrower one."""
        rows = []
        for path in self.paths:
            read = self.read(path, held_out=False)
            broad = path.name.split(".")[0] in CORE
            rows += read if broad or len(read) <= OTHER_ROWS else chance.sample(read, OTHER_ROWS)
        return self.pairs(rows)

    def tuned_on(self) -> list[Pair]:
        return [pair for path in self.paths if path.name.split(".")[0] == TUNED_ON for pair in self.pairs(self.read(path, held_out=True))]


def batches(pairs: list[Pair], tokens: int, chance: random.Random) -> Iterator[list[Pair]]:
    """One pass over the pairs, in batches of pairs of about the same length and at most `tokens` padded tokens."""
    order = chance.sample(pairs, len(pairs))
    for at in range(0, len(order), POOL):
        made, current = [], []
        for pair in sorted(order[at : at + POOL], key=len):
            if current and (len(current) + 1) * padded(len(pair)) > tokens:
                made.append(current)
                current = []
            current.append(pair)
        made.append(current)
        chance.shuffle(made)
        yield from made


def padded(length: int) -> int:
    return -(-length // ROUND_TO) * ROUND_TO


def batch_of(pairs: list[Pair]) -> PairBatch:
    shape = (len(pairs), padded(max(map(len, pairs))))
    ids, types, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape, bool)
    for row, pair in enumerate(pairs):
        ids[row, : len(pair)] = pair.ids
        types[row, pair.hypothesis_at : len(pair)] = 1
        mask[row, : len(pair)] = True
    positions = torch.arange(shape[1]).expand(shape)
    labels = torch.tensor([pair.label for pair in pairs])
    return PairBatch(torch.from_numpy(ids), positions, torch.from_numpy(types), torch.from_numpy(mask), labels)
