"""The optimizer, and one step of it."""

import torch
from torch import Tensor, nn

WEIGHT_DECAY = 0.01  # of matrices
MAX_GRADIENT = 1.0


def optimizer_of(network: nn.Module, rate: float) -> torch.optim.Optimizer:
    parameters = list(network.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": WEIGHT_DECAY},
        {"params": [p for p in parameters if p.ndim == 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), eps=1e-6, fused=True)


def take_step(network: nn.Module, optimizer: torch.optim.Optimizer, loss: Tensor, rate: float) -> None:
    """Changes the weights at this learning rate, so that the loss falls."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), MAX_GRADIENT)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
