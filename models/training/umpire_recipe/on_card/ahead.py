"""Makes batches in other processes, ahead of training: one process cannot keep a card busy."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from multiprocessing.context import SpawnContext
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from umpire_recipe.on_card.crossed import SHARED
from umpire_recipe.train.batches import Batch, Mix

WAIT_S = 0.1  # between looks at whether to stop
EACH = 3  # batches in work or waiting, for each process


@lru_cache(maxsize=8)
def mix_at(path: Path) -> Mix:
    """A file without tokens names the mix whose tokens are meant."""
    arrays = dict(np.load(path))
    if "of" in arrays:
        of = mix_at(Path(str(arrays.pop("of"))))
        arrays |= {name: getattr(of, name) for name in SHARED}
    return Mix(arrays)


def plain(batch: Batch) -> dict:
    """The batch with arrays in place of tensors: torch would send each tensor through a file descriptor of its own."""
    arrays = {name: value.numpy() for name, value in vars(batch).items() if isinstance(value, Tensor)}
    return vars(batch) | arrays | {"starts": tuple(part.numpy() for part in batch.starts)}


def from_plain(fields: dict) -> Batch:
    tensors = {name: torch.from_numpy(value) for name, value in fields.items() if isinstance(value, np.ndarray)}
    return Batch(**(fields | tensors | {"starts": tuple(torch.from_numpy(part) for part in fields["starts"])}))


def made(path: Path, groups: list[int]) -> dict:
    return plain(mix_at(path).batch(groups))


def one_thread() -> None:
    torch.set_num_threads(1)


class Ahead:
    """Use as a context manager: leaving it ends the processes."""

    def __init__(self, context: SpawnContext, workers: int):
        self.pool, self.depth = context.Pool(workers, one_thread), EACH * workers

    def __enter__(self) -> "Ahead":
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.terminate()

    def batches(self, chosen: Iterable[tuple[Path, list[int]]], stopping: Callable[[], bool]) -> Iterator[Batch]:
        """chosen: of each batch, the file of a mix and groups of it. Ends early once `stopping`, whatever the processes do."""
        waiting, chosen = deque(), iter(chosen)
        while not stopping():
            while len(waiting) < self.depth and (choice := next(chosen, None)):
                waiting.append(self.pool.apply_async(made, choice))
            if not waiting:
                return
            waiting[0].wait(WAIT_S)
            if waiting[0].ready():
                yield from_plain(waiting.popleft().get())
