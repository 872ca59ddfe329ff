"""The running mean of the weights along a run (Polyak averaging, exponential)."""

import torch
from torch import Tensor, nn

EVERY_STEPS = 4


class RunningMean:
    """tensors: the mean so far, by the network's own names."""

    def __init__(self, network: nn.Module, decay: float):
        self.network, self.decay = network, decay
        self.tensors: dict[str, Tensor] = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Every few steps. Young runs forget faster: their first weights are no part of what they have become."""
        if step % EVERY_STEPS:
            return
        kept = min(self.decay**EVERY_STEPS, (1 + step / EVERY_STEPS) / (10 + step / EVERY_STEPS))
        for name, tensor in self.network.state_dict().items():
            self.tensors[name].lerp_(tensor, 1 - kept)
