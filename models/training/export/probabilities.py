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


def confidence(kind: str, p: np.ndarray) -> float:
    """How sure an answer with these probabilities is, as the contract defines it; for a noul, which states none, the larger of yes and no."""
    if kind == "noul":
        return float(p.max())
    if kind == "choice":
        return float((p.max() - 1 / len(p)) / (1 - 1 / len(p)))
    levels = np.arange(len(p))
    spread = np.abs(levels - (len(p) - 1) / 2).mean()
    return float(max(0, 1 - (p * np.abs(levels - p.argmax())).sum() / spread))
