"""Fits a pack's temperatures, and its curves from probability to the share of right answers.

python -m umpire_recipe.calibrate --pack <folder> --data <data> --out <json>

There is a temperature for each question type, for a choice by the number of options; a noul also has a bias. They minimise the negative
log-likelihood of held-out questions, answered by the int8 graph, which is the one in use. Then curves are fitted by type and number of
options, and thresholds over questions that are each asked of many texts (thresholds.py). Export the pack again to include the result; a
sealed pack takes new curves, thresholds and a new card with umpire_recipe.reseal.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from umpire_recipe.answering.decider import Decider, read_manifest
from umpire_recipe.answering.session import PackSession
from umpire_recipe.calibrate.accuracy import accuracy_curves
from umpire_recipe.calibrate.questions import calibration_questions
from umpire_recipe.calibrate.risk import risk_curves
from umpire_recipe.calibrate.temperatures import Scored, fit, group_of, likelihood
from umpire_recipe.calibrate.thresholds import fitted as fitted_thresholds
from umpire_recipe.evaluate.figures import calibration_error
from umpire_recipe.export.manifest import NO_CALIBRATION
from umpire_recipe.export.pack import json_text
from umpire_recipe.folders import AUTHORED
from umpire_recipe.prepare.sources import asked_of


def answered(scored: list[Scored], calibration: dict) -> tuple[list[np.ndarray], np.ndarray]:
    """Probabilities of each question, and for each 1 if the likeliest option is right, else 0."""
    stated = [one.stated(calibration) for one in scored]
    return stated, np.array([int(p.argmax()) == one.answer for p, one in zip(stated, scored, strict=True)], float)


def figures(scored: list[Scored], calibration: dict) -> str:
    stated, right = answered(scored, calibration)
    error = calibration_error(np.array([p.max() for p in stated]), right)
    return f"accuracy {np.mean(right):.3f}  NLL {likelihood(scored, calibration):.4f}  ECE {error:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with cls, nli and decisions; only held-out rows of their train folders are read"
    )
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument(
        "--without", action="append", default=[], help="held-out set to leave out, because the model has seen its texts; may be repeated"
    )
    parser.add_argument("--rows", type=int, default=400, help="rows of each held-out classification set (default: 400)")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    manifest = read_manifest(arguments.pack)
    decider = Decider(arguments.pack, manifest, PackSession(arguments.pack, manifest, "int8"))
    groups: dict[str, list[Scored]] = {}
    left_out = 0
    for labelled in calibration_questions(arguments.data, arguments.authored, arguments.rows, arguments.without):
        try:
            answer = decider.decide(labelled.state, {"it": labelled.question})["it"]
        except ValueError:  # an option or a question exceeds the model's limits
            left_out += 1
            continue
        groups.setdefault(group_of(labelled.question), []).append(Scored(labelled, answer.scores, asked_of(labelled.question).answer))
    calibration = fit(groups)
    every = [one for scored in groups.values() for one in scored]
    calibration["accuracy"], calibration["risk"] = accuracy_curves(every, calibration), risk_curves(every, calibration)
    calibration["thresholds"] = fitted_thresholds(decider, arguments.data, calibration, arguments.without)
    kinds = {
        f"  {place}": [one for one in every if one.labelled.source.startswith(place)] for place in ("decisions", "own", "sets", "renamed")
    }
    for name, scored in [*sorted(groups.items()), *((name, scored) for name, scored in kinds.items() if scored)]:
        print(f"{name:18} n {len(scored):5}  before: {figures(scored, NO_CALIBRATION)}  after: {figures(scored, calibration)}")
    print(f"{left_out} questions left out because they are too long")
    print(json.dumps(calibration))
    arguments.out.write_text(json_text(calibration), encoding="utf-8")


if __name__ == "__main__":
    main()
