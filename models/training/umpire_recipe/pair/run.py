"""Trains the pair model for some minutes."""

import random
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.answering.reference import settings_of
from umpire_recipe.backbone.folder import Backbone
from umpire_recipe.folders import PACKS
from umpire_recipe.on_card.weights import sealed_tensors
from umpire_recipe.pair.pairs import Pair, PairBatch, PairReader, batch_of, batches
from umpire_recipe.train.loss import nli_loss
from umpire_recipe.train.network import Network, loaded, network_of, untrained
from umpire_recipe.train.optimizer import optimizer_of, take_step
from umpire_recipe.train.running_mean import RunningMean
from umpire_recipe.train.schedule import learning_rate

BACKBONE, PACK = "backbone", "pack"
SEALED = PACKS / "umpire-2"
SAY_EVERY_STEPS = 50


def started(start: str, backbone: Backbone) -> Network:
    """start: BACKBONE, PACK, or the path of a checkpoint."""
    if start == BACKBONE:
        return untrained(backbone)
    if start == PACK:
        tensors = {name: torch.tensor(tensor) for name, tensor in sealed_tensors(SEALED).items()}
        network = network_of(tensors, settings_of(SEALED, read_manifest(SEALED)))
    else:
        network = loaded(Path(start))
    with torch.no_grad():
        # There the third type marks what is judged, and the second a question, which pairs do not have.
        network.typ.weight[1] = network.typ.weight[2]
    return network


def logits_of(network: Network, batch: PairBatch) -> Tensor:
    """[B,3] fp32 at the first token."""
    rows = torch.arange(len(batch.ids))
    seen = batch.mask[:, None, :].expand(-1, batch.ids.shape[1], -1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return network(batch.ids, batch.positions, batch.types, seen, (rows, torch.zeros_like(rows)))


class Clock:
    """share: of the time that is over, 0 to 1. It begins when it is made."""

    def __init__(self, minutes: float):
        self.begun, self.seconds = time.monotonic(), 60 * minutes

    @property
    def share(self) -> float:
        return (time.monotonic() - self.begun) / self.seconds


def passes(reader: PairReader, tokens: int, chance: random.Random) -> Iterator[list[Pair]]:
    """Batches without end."""
    while True:
        yield from batches(reader.trained_on(chance), tokens, chance)


def train(network: Network, reader: PairReader, arguments: Namespace) -> None:
    """Trains until the minutes are over. The network then has the running mean of its weights."""
    optimizer, mean, clock = optimizer_of(network, arguments.rate), RunningMean(network, arguments.mean), Clock(arguments.minutes)
    losses, pairs, tokens = 0.0, 0, 0
    for step, chosen in enumerate(passes(reader, arguments.batch_tokens, random.Random(arguments.seed)), 1):
        if (share := clock.share) >= 1:
            break
        batch = batch_of(chosen)
        loss = nli_loss(logits_of(network, batch), batch.labels)
        take_step(network, optimizer, loss / len(chosen), learning_rate(arguments.rate, share, arguments.decay_from))
        mean.update(step)
        losses, pairs, tokens = losses + float(loss.detach()), pairs + len(chosen), tokens + sum(map(len, chosen))
        if step % SAY_EVERY_STEPS == 0:
            print(f"{share:4.0%}  step {step}  loss {losses / pairs:.3f}  {tokens / 1e6:.2f}M tokens", flush=True)
            losses, pairs = 0.0, 0
    network.load_state_dict(mean.tensors)
