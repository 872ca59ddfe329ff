"""Warm-up, a long level stretch, and a fall to zero ("warmup, stable, decay", Hu et al. 2024): a level run can be prolonged or given another mix."""

WARM_UP = 0.02  # share of all tokens


def learning_rate(highest: float, share: float, decay_from: float) -> float:
    """share: of all tokens, 0..1. The fall goes as one minus the square root, which leaves more time at small rates than a line."""
    if share < WARM_UP:
        return highest * (share / WARM_UP * 0.98 + 0.02)
    if share < decay_from:
        return highest
    return highest * max(0.0, 1 - ((share - decay_from) / (1 - decay_from)) ** 0.5)
