"""Scores -> calibrated probabilities."""

import numpy as np


def temperature_for(calibration: dict, options: int) -> float:
    """The temperature of a choice among so many options."""
    return next(entry["temperature"] for entry in calibration["choice"] if options <= entry["maxOptions"])


def softmax(scores: np.ndarray) -> np.ndarray:
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


def probabilities(kind: str, scores: np.ndarray, calibration: dict) -> np.ndarray:
    """[K] scores in criteria order -> [K] probabilities, in double precision; for a noul [1], the probability of yes."""
    scores = scores.astype(np.float64)
    if kind == "noul":
        noul = calibration["noul"]
        return 1 / (1 + np.exp(-((scores[:1] - scores[1:]) / noul["temperature"] + noul["bias"])))
    return softmax(scores / (temperature_for(calibration, len(scores)) if kind == "choice" else calibration["score"]["temperature"]))
