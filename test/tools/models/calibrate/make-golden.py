"""Writes golden.json: what the recipe's calibration makes of scores that golden-questions.ts makes, too.

Run: PYTHONPATH=models/training python test/tools/models/calibrate/make-golden.py
"""

import json
import sys
from pathlib import Path

import numpy as np
from umpire_recipe.calibrate.accuracy import MOST_OPTIONS, answers_of, curves_of
from umpire_recipe.calibrate.temperatures import Scored, fit, group_of, likelihood
from umpire_recipe.evaluate.figures import calibration_error
from umpire_recipe.evaluate.tuning import Labelled
from umpire_recipe.export.manifest import NO_CALIBRATION

MASK = 0xFFFFFFFF


class Chance:
    """src/library/statistics/random.ts, with as much of random.Random as the recipe uses."""

    def __init__(self, seed):
        self.counter = seed

    def random(self):
        self.counter = (self.counter + 0x6D2B79F5) & MASK
        mixed = ((self.counter ^ (self.counter >> 15)) * (1 | self.counter)) & MASK
        mixed ^= (mixed + (((mixed ^ (mixed >> 7)) * (61 | mixed)) & MASK)) & MASK
        return (mixed ^ (mixed >> 14)) / 2**32

    def randint(self, least, most):
        return least + int(self.random() * (most - least + 1))

    def sample(self, items, count):
        rest = list(items)
        return [rest.pop(int(self.random() * len(rest))) for _ in range(count)]


def questions(kind, count, options, sharpness, chance):
    """Nothing but sums and products, so that TypeScript makes the same bits. The larger sharpness, the more often the largest score is right."""
    made = []
    for _ in range(count):
        scores = [6 * (chance.random() + chance.random() - 1) for _ in range(options)]
        noisy = [score * sharpness + 6 * (chance.random() - 0.5) for score in scores]
        question = {"type": kind, "criteria": dict.fromkeys(range(options))}
        made.append(Scored(Labelled("", question, ""), np.array(scores, np.float32), noisy.index(max(noisy))))
    return made


def curves(kind, groups, calibration):
    """Accuracy curves of a type, with its own random numbers, as in golden.test.ts."""
    scored = [one for of in groups.values() for one in of if one.labelled.question["type"] == kind]
    return curves_of(answers_of(scored, calibration, Chance(0))[kind], MOST_OPTIONS[kind])


def figures(scored, calibration):
    stated = [one.stated(calibration) for one in scored]
    right = np.array([int(p.argmax()) == one.answer for p, one in zip(stated, scored, strict=True)], float)
    error = calibration_error(np.array([p.max() for p in stated]), right)
    return {"questions": len(scored), "accuracy": float(right.mean()), "logLoss": likelihood(scored, calibration), "calibrationError": error}


def main():
    chance = Chance(7)
    every = [
        *questions("choice", 120, 2, 0.6, chance),
        *questions("choice", 150, 4, 0.8, chance),
        *questions("choice", 130, 8, 0.5, chance),
        *questions("choice", 60, 15, 0.9, chance),
        *questions("noul", 170, 2, 0.4, chance),
        *questions("score", 140, 5, 0.7, chance),
    ]
    groups = {}
    for asked in every:
        groups.setdefault(group_of(asked.labelled.question), []).append(asked)
    calibration = fit(groups)
    calibration["accuracy"] = {kind: curves(kind, groups, calibration) for kind in MOST_OPTIONS}
    golden = {
        "madeBy": {"python": sys.version.split()[0], "numpy": np.__version__, "script": "test/tools/models/calibrate/make-golden.py"},
        "sumOfScores": float(sum(asked.scores.astype(float).sum() for asked in every)),
        "sumOfAnswers": sum(asked.answer for asked in every),
        "calibration": calibration,
        "figures": {
            name: {"before": figures(of, NO_CALIBRATION), "after": figures(of, calibration)} for name, of in sorted(groups.items())
        },
    }
    Path(__file__).with_name("golden.json").write_text(json.dumps(golden) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
