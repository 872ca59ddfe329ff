"""A training run: the network, its optimizer and how far it has come."""

import argparse
import hashlib
import os
from pathlib import Path

import torch
from torch import Tensor

from umpire_recipe.backbone.folder import own_backbone
from umpire_recipe.backbone.start import changed, is_difference, starting_tensors
from umpire_recipe.checkpoint import write_checkpoint
from umpire_recipe.train.batches import Batch
from umpire_recipe.train.loss import losses
from umpire_recipe.train.network import Network, loaded, network_of, untrained
from umpire_recipe.train.optimizer import optimizer_of, take_step
from umpire_recipe.train.running_mean import RunningMean
from umpire_recipe.train.schedule import learning_rate

FINISHED, UNFINISHED = "model.safetensors", "latest.safetensors"
COUNTS = ("step", "tokens", "passes", "done_in_pass", "reads")


def network_to_start(arguments: argparse.Namespace) -> Network:
    if arguments.init and not is_difference(arguments.init):
        return loaded(arguments.init)
    backbone = arguments.backbone or own_backbone()
    if not arguments.init:
        return untrained(backbone)
    return network_of(changed(starting_tensors(backbone), arguments.init), backbone.settings)


class Run:
    """Everything that state.pt holds. arguments: those of command.py."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments, self.out = arguments, arguments.out
        torch.manual_seed(arguments.seed)
        network = network_to_start(arguments)
        self.network: Network = network.to(arguments.device)
        self.network.dropout = arguments.dropout
        self.optimizer = optimizer_of(self.network, arguments.rate)
        self.mean = RunningMean(self.network, arguments.mean)
        self.step = self.tokens = self.passes = self.done_in_pass = 0
        self.reads = ""

    def save(self) -> None:
        state = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "mean": self.mean.tensors}
        state |= {name: getattr(self, name) for name in COUNTS}
        torch.save(state, self.out / "state.part")
        os.replace(self.out / "state.part", self.out / "state.pt")

    def resume(self) -> bool:
        path = self.out / "state.pt"
        if not path.exists():
            return False
        state = torch.load(path, map_location=self.arguments.device)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.mean.tensors = state["mean"]
        for name in COUNTS:
            setattr(self, name, state[name])
        return True

    def reading(self, mix: Path) -> None:
        """Begins a new pass if the run continues with another mix, or with batches cut differently."""
        reads = f"{hashlib.sha256(mix.read_bytes()).hexdigest()} {self.arguments.seed} {self.arguments.batch_tokens}"
        if self.reads not in ("", reads):
            print("The mix, the seed or the batch size has changed: a new pass begins.", flush=True)
            self.passes, self.done_in_pass = self.passes + 1, 0
        self.reads = reads

    def publish(self, name: str) -> None:
        """Writes the mean of the weights as a checkpoint."""
        part = self.out / f"{name}.part"
        write_checkpoint(part, self.mean.tensors, self.network.settings)
        os.replace(part, self.out / name)

    @property
    def done(self) -> bool:
        return self.tokens >= self.arguments.tokens * 1e6

    @property
    def share(self) -> float:
        """How much of the run is done, 0 to 1."""
        return self.tokens / (self.arguments.tokens * 1e6)

    def loss(self, batch: Batch, mean_weight: float) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss of a batch on the run's device, and sums for the log.

        It is divided by the weight of an average batch of this size, not by its own: a question then counts the same in every batch.
        """
        with torch.autocast(self.arguments.device, dtype=torch.bfloat16):
            logits = self.network(batch.ids, batch.positions, batch.types, batch.mask, batch.starts)
        total, said = self.losses(logits.float(), batch)
        return total / (mean_weight * batch.tokens), said

    def losses(self, logits: Tensor, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        return losses(logits, batch)

    def learn(self, batch: Batch, mean_weight: float) -> dict[str, Tensor | float]:
        """Takes one step and returns sums for the log. mean_weight: of a token of the mix (loss.weight_a_token).

        The sums are still tensors: reading them would make the processor wait for the card.
        """
        arguments, share = self.arguments, self.share
        rate = learning_rate(arguments.rate, share, arguments.decay_from)
        self.network.quantised = share >= arguments.quantise_from
        loss, said = self.loss(batch.to(arguments.device), mean_weight)
        take_step(self.network, self.optimizer, loss, rate)
        self.step, self.tokens = self.step + 1, self.tokens + batch.tokens
        self.mean.update(self.step)
        return said | {"rate": rate}
