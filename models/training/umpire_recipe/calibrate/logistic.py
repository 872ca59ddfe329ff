"""Logistic regression with a penalty."""

import numpy as np

STEPS = 100


def logistic(columns: np.ndarray, right: np.ndarray, penalties: np.ndarray) -> np.ndarray:
    """The weights [C] of columns [N, C] that best predict `right` [N] of 0 and 1, by Newton's method.

    They minimise the sum of the negative log-likelihood and half of penalties [C] times the squared weights.
    """
    weights = np.zeros(columns.shape[1])
    for _ in range(STEPS):
        stated = 1 / (1 + np.exp(-columns @ weights))
        gradient = columns.T @ (stated - right) + penalties * weights
        curvature = (columns * (stated * (1 - stated))[:, None]).T @ columns + np.diag(penalties)
        change = np.linalg.solve(curvature, gradient)
        weights -= change
        if np.abs(change).max() < 1e-10:
            break
    return weights
