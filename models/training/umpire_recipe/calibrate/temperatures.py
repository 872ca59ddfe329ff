"""The temperatures of each question type, fitted on scored questions."""

import sys
from dataclasses import dataclass

import numpy as np

from umpire_recipe.answering.probabilities import probabilities
from umpire_recipe.calibrate.fit import fitted, lowest, negative_log_likelihood
from umpire_recipe.evaluate.tuning import Labelled

BUCKETS = (2, 5, 10, 30, 255)  # upper limits of the number of options that share a temperature
FEWEST = 100  # questions needed for a temperature


@dataclass(frozen=True)
class Scored:
    """A question with its scores. answer: index of the right criterion in the order of the scores; for a noul 0 is yes."""

    labelled: Labelled
    scores: np.ndarray
    answer: int

    def stated(self, calibration: dict) -> np.ndarray:
        p = probabilities(self.labelled.question["type"], self.scores, calibration)
        return np.array([p[0], 1 - p[0]]) if len(p) == 1 else p


def likelihood(scored: list[Scored], calibration: dict) -> float:
    return negative_log_likelihood([one.stated(calibration)[one.answer] for one in scored])


def of_choice(temperature: float) -> dict:
    return {"choice": [{"maxOptions": 255, "temperature": temperature}]}


def of_noul(temperature: float, bias: float) -> dict:
    return {"noul": {"temperature": temperature, "bias": bias}}


def choice_temperature(most: int, groups: dict[str, list[Scored]]) -> float:
    """The temperature of choices with up to `most` options."""
    scored = groups.get(f"choice, up to {most}", [])
    if len(scored) < FEWEST:
        print(f"choice, up to {most}: only {len(scored)} questions, so it gets the temperature of all choices", file=sys.stderr)
        scored = [one for name, of in groups.items() if name.startswith("choice") for one in of]
    return fitted(lambda temperature: likelihood(scored, of_choice(temperature)))


def fit(groups: dict[str, list[Scored]]) -> dict:
    """The calibration of a manifest, without curves. groups: scored questions by group_of."""
    noul = groups["noul"]

    def best_bias(temperature: float) -> float:
        return lowest(lambda bias: likelihood(noul, of_noul(temperature, bias)), -3, 3, steps=30)

    temperature = fitted(lambda t: likelihood(noul, of_noul(t, best_bias(t))))
    choice = [{"maxOptions": most, "temperature": round(choice_temperature(most, groups), 4)} for most in BUCKETS]
    score = fitted(lambda t: likelihood(groups["score"], {"score": {"temperature": t}}))
    return {
        "choice": choice,
        "noul": {"temperature": round(temperature, 4), "bias": round(best_bias(temperature), 4)},
        "score": {"temperature": round(score, 4)},
    }


def group_of(question: dict) -> str:
    """The name of the questions that share a temperature with this one."""
    if question["type"] != "choice":
        return question["type"]
    return f"choice, up to {next(most for most in BUCKETS if len(question['criteria']) <= most)}"
