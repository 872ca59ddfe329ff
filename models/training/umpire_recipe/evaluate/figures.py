"""Accuracy, macro-F1, calibration error and accuracy of the surest answers."""

import numpy as np

BINS = 15


def calibration_error(stated: np.ndarray, right: np.ndarray) -> float:
    """ECE: mean distance between stated probability and share of right answers, over 15 bins of equal width, which include their upper ends
    (Guo et al. 2017), as src/library/statistics/metrics.ts has them."""
    bins = np.clip(np.ceil(stated * BINS).astype(int) - 1, 0, BINS - 1)
    return float(sum(abs((stated[bins == b] - right[bins == b]).sum()) for b in range(BINS)) / len(stated))


def accuracy_at(coverage: float, stated: np.ndarray, right: np.ndarray) -> float:
    """Accuracy of the surest answers. coverage: their share of all answers, 0 to 1."""
    kept = np.argsort(-stated, kind="stable")[: max(1, int(coverage * len(stated)))]
    return float(right[kept].mean())


def macro_f1(truth: list, said: list) -> float:
    """Mean F1 over the labels that occur in the truth."""
    values = []
    for label in set(truth):
        hits = sum(a == b == label for a, b in zip(truth, said, strict=True))
        values.append(2 * hits / (truth.count(label) + said.count(label)))
    return float(np.mean(values))


def figures_of(truth: list, said: list, stated: list[float]) -> dict[str, float]:
    right, sure = np.array([a == b for a, b in zip(truth, said, strict=True)], float), np.array(stated)
    return {
        "n": len(truth),
        "accuracy": float(right.mean()),
        "macro_f1": macro_f1(truth, said),
        "ece": calibration_error(sure, right),
        "accuracy_at_80": accuracy_at(0.8, sure, right),
    }
