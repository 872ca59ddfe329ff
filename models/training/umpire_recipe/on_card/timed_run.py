"""A training run that ends by the clock."""

import argparse
import time

import torch
from torch import Tensor

from umpire_recipe.train.batches import Batch
from umpire_recipe.train.run import Run
from umpire_recipe.train.teacher import ANSWER_WEIGHT, Teacher, teaching_losses


class TimedRun(Run):
    """arguments: those of run.py, and `init`. Its share is that of the time, which begins with `start`.

    keeps_words: leave the word embedding as it is. teacher: whose answers are learnt, too.
    """

    def __init__(self, arguments: argparse.Namespace, keeps_words: bool, teacher: Teacher | None = None):
        # It plans anew for every shape, and nearly every batch has another one.
        torch.backends.cuda.enable_cudnn_sdp(False)
        super().__init__(arguments)
        self.network.word.weight.requires_grad_(not keeps_words)
        self.teacher, self.started, self.ends = teacher, 0.0, 0.0

    def start(self, ends: float) -> None:
        """ends: when training must be over, in the seconds of time.monotonic."""
        self.started, self.ends = time.monotonic(), ends

    @property
    def share(self) -> float:
        return min(1.0, (time.monotonic() - self.started) / max(1e-9, self.ends - self.started))

    @property
    def done(self) -> bool:
        return self.share >= 1 or self.step == self.arguments.steps

    def losses(self, logits: Tensor, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        total, said = super().losses(logits, batch)
        if not self.teacher:
            return total, said
        taught, agreed = teaching_losses(logits, self.teacher.logits(batch), batch)
        return ANSWER_WEIGHT * total + taught, said | agreed

    def compile(self, batches: list[Batch], mean_weight: float) -> None:
        """Compiles most of the arithmetic, with and without rounding, before the clock of the training starts.

        Layers are compiled for any shape. What cannot be compiled runs as it is.
        """
        torch._dynamo.config.suppress_errors = True
        torch._dynamo.config.recompile_limit = 64
        for network in (self.network, self.teacher and self.teacher.network):
            if network:
                network.finished = torch.compile(network.finished, dynamic=True)
        for quantised in (True, False):
            self.network.quantised = quantised
            for batch in batches:
                self.loss(batch.to(self.arguments.device), mean_weight)[0].backward()
        self.optimizer.zero_grad(set_to_none=True)
