"""A larger network that teaches: what it says of a batch is what the network in training is to say (Hinton et al. 2015).

It is asked about texts with answers, and about texts without: there, what it says is all that there is to learn.
"""

import torch
from torch import Tensor

from umpire_recipe.prepare.asked import NLI
from umpire_recipe.train.batches import Batch
from umpire_recipe.train.loss import NLI_WEIGHT, entailment_scores, question_scores
from umpire_recipe.train.network import Network

TEMPERATURE = 2.0  # of both networks' scores: it brings out how the teacher ranks what it takes for wrong
ANSWER_WEIGHT = 0.5  # of the loss against known answers, beside the teacher's
OPTION_WEIGHT = 0.3  # of the three labels of each option of a question; what it says of the options together has weight 1


class Teacher:
    """ids [words]: the teacher's id of each token id of the network in training."""

    def __init__(self, network: Network, ids: Tensor, device: str):
        self.network, self.ids = network.eval().requires_grad_(False).to(device), ids.to(device)

    @torch.no_grad()
    def logits(self, batch: Batch) -> Tensor:
        """[K,3] fp32 of all options, as Network.forward."""
        with torch.autocast(self.ids.device.type, dtype=torch.bfloat16):
            return self.network(self.ids[batch.ids], batch.positions, batch.types, batch.mask, batch.starts).float()


def softened(scores: Tensor, taught: Tensor) -> Tensor:
    """Cross-entropy [N] of two rows of scores [N,M] at the temperature. Its square keeps the size of the gradients."""
    targets = torch.softmax(taught / TEMPERATURE, -1)
    return -(targets * torch.log_softmax(scores / TEMPERATURE, -1)).sum(-1) * TEMPERATURE**2


def teaching_losses(logits: Tensor, taught: Tensor, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
    """The summed loss against the teacher's logits [K,3], and sums for the log: how often both choose the same option."""
    of_option, said = softened(logits, taught), {}
    asked = batch.kinds != NLI
    hypotheses = batch.labels >= 0
    total = NLI_WEIGHT * of_option[hypotheses].sum()
    if asked.any():
        option_at = batch.option_at[asked]
        there = option_at >= 0
        mine, theirs = (question_scores(entailment_scores(one), option_at) for one in (logits, taught))
        options = of_option[option_at.clamp_min(0)].masked_fill(~there, 0).sum(1) / there.sum(1)
        total = total + softened(mine, theirs).sum() + OPTION_WEIGHT * options.sum()
        said = {"taught": asked.sum(), "agreed": (mine.argmax(1) == theirs.argmax(1)).sum()}
    return total, said
