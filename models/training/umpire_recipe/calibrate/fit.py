"""Finds the temperature with the lowest negative log-likelihood."""

from collections.abc import Callable

import numpy as np

Loss = Callable[[float], float]


def lowest(loss: Loss, low: float, high: float, steps: int = 60) -> float:
    """Where a function with one minimum has it, by golden-section search."""
    ratio = (5**0.5 - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    for _ in range(steps):
        if loss(left) < loss(right):
            high, right = right, left
            left = high - ratio * (high - low)
        else:
            low, left = left, right
            right = low + ratio * (high - low)
    return (low + high) / 2


def negative_log_likelihood(right: list[float]) -> float:
    """Mean over questions. right: the probability given to each right answer."""
    return float(-np.log(np.maximum(right, 1e-12)).mean())


def fitted(loss: Loss, low: float = 0.2, high: float = 10) -> float:
    """The temperature with the lowest loss."""
    return float(np.exp(lowest(lambda logarithm: loss(float(np.exp(logarithm))), float(np.log(low)), float(np.log(high)))))
