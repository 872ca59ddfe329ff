"""A rising curve from confidence to the share of right answers."""

import numpy as np

POINTS = 12


def isotonic(confidence: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sorted confidence [N], and the rising steps [N] closest to `right` in squared error (pool adjacent violators, Ayer et al. 1955)."""
    order = np.argsort(confidence, kind="stable")
    blocks: list[list[float]] = []  # mean, count
    for value in right[order]:
        blocks.append([float(value), 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            mean, count = blocks.pop()
            below = blocks[-1]
            below[0] = (below[0] * below[1] + mean * count) / (below[1] + count)
            below[1] += count
    return confidence[order], np.concatenate([np.full(int(count), mean) for mean, count in blocks])


def curve(confidence: np.ndarray, right: np.ndarray) -> list[dict[str, float]]:
    """At most twelve points, ascending in both coordinates, for linear interpolation. Each is the mean of equally many answers."""
    sorted_confidence, fitted = isotonic(confidence, right)
    parts = zip(np.array_split(sorted_confidence, POINTS), np.array_split(fitted, POINTS), strict=True)
    shares_at: dict[float, list[float]] = {}
    for places, shares in parts:
        if len(places):
            shares_at.setdefault(round(float(places.mean()), 4), []).append(float(shares.mean()))
    return [{"confidence": place, "accuracy": round(float(np.mean(shares)), 4)} for place, shares in shares_at.items()]
