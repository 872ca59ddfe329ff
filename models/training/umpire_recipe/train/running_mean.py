"""The running mean of the weights during training (exponential Polyak averaging)."""

import torch
from torch import Tensor, nn

EVERY_STEPS = 4


class RunningMean:
    """tensors: the mean so far, by the network's tensor names."""

    def __init__(self, network: nn.Module, decay: float):
        self.network, self.decay = network, decay
        self.tensors: dict[str, Tensor] = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Updates the mean every few steps. Early in a run it forgets faster, so that the initial weights soon lose their influence."""
        if step % EVERY_STEPS:
            return
        kept = min(self.decay**EVERY_STEPS, (1 + step / EVERY_STEPS) / (10 + step / EVERY_STEPS))
        for name, tensor in self.network.state_dict().items():
            self.tensors[name].lerp_(tensor, 1 - kept)
