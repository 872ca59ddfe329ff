"""How many held-out answers were how sure, and how many of them were wrong: plain counts, by type and number of options.

The answers are those that the accuracy curves are fitted on, and a question counts once in each bucket of numbers of options. Nothing is
smoothed: whoever reads the counts can put an upper bound on the error rate of answers that are at least that sure.
"""

import random
from bisect import bisect_left

import numpy as np

from umpire_recipe.calibrate.accuracy import MOST_OPTIONS, Given, given, with_fewer_options
from umpire_recipe.calibrate.temperatures import Scored

MOST_POINTS = 40  # of each curve
FEWEST = 10  # answers at the first point: fewer can promise no error rate below 20%
DIGITS = 6  # of probabilities, after the point


def counted(scored: list[Scored], calibration: dict, chance: random.Random) -> dict[str, list[list[Given]]]:
    """By type and bucket. A choice counts with all of its options, and with fewer ones in the buckets below."""
    found: dict[str, list[list[Given]]] = {kind: [[] for _ in most_options] for kind, most_options in MOST_OPTIONS.items()}
    for one in scored:
        kind = one.labelled.question["type"]
        asked = [(one.scores, one.answer)]
        if kind == "choice":
            asked += with_fewer_options(one, chance)
        buckets: dict[int, Given] = {}
        for scores, answer in asked:
            answered = given(kind, scores, answer, calibration)
            buckets.setdefault(bisect_left(MOST_OPTIONS[kind], answered[0]), answered)
        for bucket, answered in buckets.items():
            found[kind][bucket].append(answered)
    return found


def points_of(answers: list[Given]) -> list[dict[str, float]]:
    """At most MOST_POINTS points from the surest answers on, nearer to one another at the sure end. The last one counts all answers."""
    p = np.array([round(p, DIGITS) for _, p, _ in answers])
    wrong = np.array([1 - right for _, _, right in answers], int)
    surest_first = np.argsort(-p, kind="stable")
    p, errors = p[surest_first], np.cumsum(wrong[surest_first])
    shares = (np.arange(1, MOST_POINTS + 1) / MOST_POINTS) ** 2
    least = min(FEWEST, len(p))
    cuts = np.round(least + (len(p) - least) * shares).astype(int)
    counts = sorted({int((p >= p[cut - 1]).sum()) for cut in cuts})  # equally sure answers stay together
    return [{"probability": float(p[count - 1]), "answers": count, "errors": int(errors[count - 1])} for count in counts]


def risk_curves(scored: list[Scored], calibration: dict, seed: int = 0) -> dict[str, list[dict]]:
    """The counts of a manifest. calibration: its temperatures.

    A bucket without answers is left out, so the next one speaks for its questions. That one has more options and is less often right.
    """
    found = counted(scored, calibration, random.Random(seed))
    return {
        kind: [
            {"maxOptions": most, "points": points_of(answers)} for most, answers in zip(MOST_OPTIONS[kind], buckets, strict=True) if answers
        ]
        for kind, buckets in found.items()
    }
