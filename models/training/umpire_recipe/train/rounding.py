"""Rounding as in int8, with gradients that pass straight through (Bengio et al. 2013)."""

import torch
from torch import Tensor

from umpire_recipe.architecture import GELU_FLOOR, GELU_ZERO

SMALLEST = 1e-12


def straight_through(x: Tensor, rounded: Tensor) -> Tensor:
    return x + (rounded - x).detach()


def weight(matrix: Tensor) -> Tensor:
    """Weights [out, in]: symmetric, with one scale an output (for an embedding, one a word)."""
    with torch.no_grad():
        scales = matrix.abs().amax(-1, keepdim=True).clamp_min(SMALLEST) / 127
        rounded = (matrix / scales).round_().mul_(scales)
    return straight_through(matrix, rounded)


def rows(x: Tensor) -> Tensor:
    """Activations [.., D]: symmetric, with one scale a row."""
    with torch.no_grad():
        scales = x.abs().amax(-1, keepdim=True).float().clamp_min(SMALLEST) / 127
        rounded = ((x / scales).round_() * scales).to(x.dtype)
    return straight_through(x, rounded)


def gelu_rows(x: Tensor) -> Tensor:
    """Activations after GELU: one scale a row, with 24 of 255 steps below zero."""
    with torch.no_grad():
        scales = (x.amax(-1, keepdim=True).float() / (255 - GELU_ZERO)).clamp_min(GELU_FLOOR / GELU_ZERO)
        rounded = ((x / scales).round_().clamp_(-GELU_ZERO, 255 - GELU_ZERO) * scales).to(x.dtype)
    return straight_through(x, rounded)
