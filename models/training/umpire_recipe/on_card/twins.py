"""Makes fresh generated twins in other processes while training runs."""

import os
import random
from collections import deque
from functools import cache
from itertools import count
from multiprocessing.context import SpawnContext
from multiprocessing.pool import AsyncResult
from pathlib import Path

import numpy as np

from umpire_recipe.folders import AUTHORED
from umpire_recipe.prepare import generated_twins
from umpire_recipe.prepare.holdout import is_held_out
from umpire_recipe.prepare.long_states import hidden
from umpire_recipe.prepare.mixing import LONG_SHARE, NOISE_SHARE
from umpire_recipe.prepare.noise import with_noise
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.prepare.sources import json_rows
from umpire_recipe.reading.request_text import text_of
from umpire_recipe.reading.tokenizer import TextTokenizer

WAITING = 40  # parts that are made ahead of use, at most


@cache
def strangers() -> list[str]:
    """Our own texts, among which states are hidden. Those of the data folder are not at hand where twins are made."""
    texts = [text_of(row["state"]) for path in sorted(AUTHORED.glob("*.jsonl")) for row in json_rows(path) if "state" in row]
    return [text for text in texts if 30 <= len(text.split()) <= 150 and not is_held_out(text)]


@cache
def packer_tokenizer(path: str) -> TextTokenizer:
    return TextTokenizer(Path(path).read_bytes())


def write_part(seed: int, twins_each: int, tokenizer: str, path: Path) -> Path:
    """Writes twins of every generator as the arrays of a mix. The seed decides what they say."""
    chance = random.Random(seed)
    groups = [
        hidden(group, strangers(), chance) if chance.random() < LONG_SHARE else group
        for group in generated_twins.groups(twins_each, chance)
    ]
    packer = Packer(packer_tokenizer(tokenizer))
    for group in with_noise(groups, NOISE_SHARE, chance):
        packer.add(group)
    np.savez(path, **packer.arrays())
    return path


def less_urgent() -> None:
    """For the processes that make twins: those that make batches go first, because the card waits for them."""
    os.nice(10)


class FreshTwins:
    """Use as a context manager: leaving it ends the processes."""

    def __init__(self, context: SpawnContext, workers: int, twins_each: int, tokenizer: Path, folder: Path, seed: int):
        self.pool = context.Pool(workers, less_urgent)
        self.made = (
            self.pool.apply_async(write_part, (seed + number, twins_each, str(tokenizer), folder / f"twins-{number}.npz"))
            for number in count()
        )
        self.at_once = 2 * workers
        self.coming: deque[AsyncResult] = deque()
        self.fresh: deque[Path] = deque()
        self.used: deque[Path] = deque()
        self.parts = 0
        self.collect()

    def __enter__(self) -> "FreshTwins":
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.terminate()

    def collect(self) -> None:
        """Takes over the parts that are ready, in order, and has as many new ones made."""
        while self.coming and self.coming[0].ready():
            part = self.coming.popleft()
            try:
                self.fresh.append(part.get())
                self.parts += 1
            except Exception as error:  # one twin that cannot be made must not end a run
                print(f"A part of the twins is left out: {error!r}", flush=True)
        while len(self.coming) < self.at_once and len(self.coming) + len(self.fresh) < WAITING:
            self.coming.append(next(self.made))

    def wait(self) -> None:
        """Waits for the first part, a minute at most."""
        self.coming[0].wait(60)

    def next_part(self) -> Path | None:
        """A part that was not used yet, or else the one that was used longest ago. None before the first is ready."""
        self.collect()
        if not (self.fresh or self.used):
            return None
        part = (self.fresh or self.used).popleft()
        self.used.append(part)
        return part
