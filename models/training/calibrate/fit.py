"""Temperatures that make the stated probabilities as likely as they can be, and what shows whether they helped."""

from collections.abc import Callable

import numpy as np

Loss = Callable[[float], float]


def lowest(loss: Loss, low: float, high: float, steps: int = 60) -> float:
    """Where a function with one valley has its floor, by golden section."""
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
    """Mean over questions, of the probability given to the right answer."""
    return float(-np.log(np.maximum(right, 1e-12)).mean())


def fitted(loss: Callable[[float], float], low: float = 0.2, high: float = 10) -> float:
    """The temperature with the lowest loss."""
    return float(np.exp(lowest(lambda logarithm: loss(float(np.exp(logarithm))), float(np.log(low)), float(np.log(high)))))


def calibration_error(stated: list[float], came_true: list[bool], bins: int = 15) -> float:
    """ECE: mean distance between the probability stated for the decision and how often it was right, by bins of equal width."""
    stated_array, true_array = np.array(stated), np.array(came_true, float)
    places = np.minimum((stated_array * bins).astype(int), bins - 1)
    gaps = [abs((stated_array[places == place] - true_array[places == place]).sum()) for place in range(bins)]
    return float(sum(gaps) / len(stated))
