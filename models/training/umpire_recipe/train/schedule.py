"""Warm-up, a long constant phase and a fall to zero ("warmup, stable, decay", Hu et al. 2024).

While the rate is constant, a run can be prolonged or given another mix.
"""

WARM_UP = 0.02  # share of all tokens


def learning_rate(highest: float, share: float, decay_from: float) -> float:
    """The rate after this share of all tokens, 0 to 1. It falls as one minus the square root, which gives small rates more time."""
    if share < WARM_UP:
        return highest * (share / WARM_UP * 0.98 + 0.02)
    if share < decay_from:
        return highest
    return highest * max(0.0, 1 - ((share - decay_from) / (1 - decay_from)) ** 0.5)
