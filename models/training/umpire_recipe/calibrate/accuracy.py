"""How often answers are right, by their type, their number of options and their probability.

The log-odds that an answer is right are a line in the log-odds of its probability. All choices share one line, and each bucket of numbers
of options may differ from it at a price, so that a bucket with few questions leans on the others. LOG.md compares this with other forms.
"""

import random
from collections.abc import Iterable

import numpy as np

from umpire_recipe.answering.probabilities import probabilities
from umpire_recipe.calibrate.logistic import logistic
from umpire_recipe.calibrate.temperatures import BUCKETS, Scored

MOST_OPTIONS = {"choice": BUCKETS, "noul": (2,), "score": (10,)}
FEWER = ((2, 2), (3, 5), (6, 10), (11, 30))  # a choice is asked again with a number of options from each of these ranges
PRICE = 10.0  # of a bucket's difference from the shared line
SLIGHT = 1e-3  # keeps the shared line finite where a few answers are all right
MOST_PROBABLE = 0.99  # beyond it, answers are too few to tell how often they are right; the library stops there, too
LEAST_SLOPE = 1e-4  # of a model that guesses: a curve never falls

Given = tuple[int, float, float]  # number of options, probability of the likeliest, 1 if it is right and else 0


def given(kind: str, scores: np.ndarray, answer: int, calibration: dict) -> Given:
    p = probabilities(kind, scores, calibration)
    p = np.array([p[0], 1 - p[0]]) if kind == "noul" else p
    return len(p), float(p.max()), float(p.argmax() == answer)


def with_fewer_options(one: Scored, chance: random.Random) -> Iterable[tuple[np.ndarray, int]]:
    """The scores of a choice among fewer of its options, and the right answer's index. Options do not see each other, so scores stay."""
    wrong = [index for index in range(len(one.scores)) if index != one.answer]
    for least, most in FEWER:
        count = chance.randint(least, most)
        if count < len(one.scores):
            kept = sorted([one.answer, *chance.sample(wrong, count - 1)])
            yield one.scores[kept], kept.index(one.answer)


def answers_of(scored: list[Scored], calibration: dict, chance: random.Random) -> dict[str, list[Given]]:
    """By type; every choice also with fewer options, so that no number of options rests on one or two sources."""
    found: dict[str, list[Given]] = {kind: [] for kind in MOST_OPTIONS}
    for one in scored:
        kind = one.labelled.question["type"]
        found[kind].append(given(kind, one.scores, one.answer, calibration))
        if kind == "choice":
            found[kind] += [given(kind, scores, answer, calibration) for scores, answer in with_fewer_options(one, chance)]
    return found


def curves_of(answers: list[Given], most_options: tuple[int, ...]) -> list[dict[str, float]]:
    """The line of each bucket: log-odds of being right = slope x log-odds of the probability + bias."""
    options, p, right = np.array(answers).T
    buckets = np.searchsorted(most_options, options)
    member = (buckets[:, None] == np.arange(len(most_options))).astype(float)
    p = np.minimum(p, MOST_PROBABLE)
    x = np.log(p / (1 - p))
    columns = np.column_stack([x, np.ones_like(x), member * x[:, None], member])
    weights = logistic(columns, right, np.array([SLIGHT] * 2 + [PRICE] * 2 * len(most_options)))
    slopes, biases = weights[:2, None] + weights[2:].reshape(2, -1)
    return [
        {"maxOptions": most, "slope": round(max(float(slope), LEAST_SLOPE), 4), "bias": round(float(bias), 4)}
        for most, slope, bias in zip(most_options, slopes, biases, strict=True)
    ]


def accuracy_curves(scored: list[Scored], calibration: dict, seed: int = 0) -> dict[str, list[dict[str, float]]]:
    """The curves of a manifest. calibration: its temperatures."""
    answers = answers_of(scored, calibration, random.Random(seed))
    return {kind: curves_of(answers[kind], most_options) for kind, most_options in MOST_OPTIONS.items()}
