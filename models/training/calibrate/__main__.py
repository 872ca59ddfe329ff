"""Fits a pack's temperatures: python models/training/calibrate --pack models/<id> --data <data> --out models/training/calibration/<id>.json

By type, and for a choice by the number of options; a noul has a bias too. And by type the share of right answers at a confidence. The lowest negative log-likelihood of held-out questions, answered
by the int8 graph, which is the one in use. A new calibration goes into a pack when it is exported again.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path += [str(Path(__file__).resolve().parents[1] / name) for name in ("export", "prepare", "evaluate", "")]

from decision import Decider, read_manifest  # noqa: E402
from figures import calibration_error  # noqa: E402
from fit import fitted, lowest, negative_log_likelihood  # noqa: E402
from isotonic import curve  # noqa: E402
from manifest import NO_CALIBRATION  # noqa: E402
from probabilities import confidence, probabilities  # noqa: E402
from questions import calibration_questions  # noqa: E402
from session import PackSession  # noqa: E402
from sources import asked_of  # noqa: E402
from tuning import Labelled  # noqa: E402
from written import AUTHORED  # noqa: E402

BUCKETS = (2, 5, 10, 30, 255)  # a choice of at most so many options
FEWEST = 100  # questions that a temperature may rest on


@dataclass(frozen=True)
class Scored:
    """answer: index of the right criterion in the order in which they are read; for a noul 0 is yes."""

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


def fit(groups: dict[str, list[Scored]]) -> dict:
    noul = groups["noul"]

    def best_bias(temperature: float) -> float:
        return lowest(lambda bias: likelihood(noul, of_noul(temperature, bias)), -3, 3, steps=30)

    temperature = fitted(lambda t: likelihood(noul, of_noul(t, best_bias(t))))
    choice = []
    for most in BUCKETS:
        scored = groups.get(f"choice, up to {most}", [])
        if len(scored) < FEWEST:
            print(f"choice, up to {most}: {len(scored)} questions are too few for a temperature of its own; it takes that of all choices", file=sys.stderr)
            scored = [one for name, of in groups.items() if name.startswith("choice") for one in of]
        choice.append({"maxOptions": most, "temperature": round(fitted(lambda t: likelihood(scored, of_choice(t))), 4)})
    score = fitted(lambda t: likelihood(groups["score"], {"score": {"temperature": t}}))
    return {
        "choice": choice,
        "noul": {"temperature": round(temperature, 4), "bias": round(best_bias(temperature), 4)},
        "score": {"temperature": round(score, 4)},
    }


def group_of(question: dict) -> str:
    if question["type"] != "choice":
        return question["type"]
    return f"choice, up to {next(most for most in BUCKETS if len(question['criteria']) <= most)}"


def answered(scored: list[Scored], calibration: dict) -> tuple[list[np.ndarray], np.ndarray]:
    """Stated probabilities of each question, and 1 where the likeliest option is right, else 0."""
    stated = [one.stated(calibration) for one in scored]
    return stated, np.array([int(p.argmax()) == one.answer for p, one in zip(stated, scored)], float)


def figures(scored: list[Scored], calibration: dict) -> str:
    stated, right = answered(scored, calibration)
    error = calibration_error(np.array([p.max() for p in stated]), right)
    return f"accuracy {np.mean(right):.3f}  NLL {likelihood(scored, calibration):.4f}  ECE {error:.4f}"


def confidence_curve(scored: list[Scored], calibration: dict) -> list[dict[str, float]]:
    stated, right = answered(scored, calibration)
    return curve(np.array([confidence(one.labelled.question["type"], p) for p, one in zip(stated, scored)]), right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls, nli and decisions; only held-out rows of their train folders are read")
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument("--without", action="append", default=[], help="a held-out set whose texts this model has met after all; may be repeated")
    parser.add_argument("--rows", type=int, default=400, help="of each held-out classification set")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    manifest = read_manifest(arguments.pack)
    decider = Decider(arguments.pack, manifest, PackSession(arguments.pack, manifest, "int8"))
    groups: dict[str, list[Scored]] = {}
    left_out = 0
    for labelled in calibration_questions(arguments.data, arguments.authored, arguments.rows, arguments.without):
        try:
            answer = decider.decide(labelled.state, {"it": labelled.question})["it"]
        except ValueError:  # an option or a question over the model's limit
            left_out += 1
            continue
        groups.setdefault(group_of(labelled.question), []).append(Scored(labelled, answer.scores, asked_of(labelled.question).answer))
    calibration = fit(groups)
    calibration["accuracyByConfidence"] = {kind: confidence_curve([one for name, of in groups.items() if name.startswith(kind) for one in of], calibration) for kind in ("choice", "noul", "score")}
    every = [one for scored in groups.values() for one in scored]
    kinds = {f"  {place}": [one for one in every if one.labelled.source.startswith(place)] for place in ("decisions", "own", "sets", "renamed")}
    for name, scored in [*sorted(groups.items()), *((name, scored) for name, scored in kinds.items() if scored)]:
        print(f"{name:18} n {len(scored):5}  before: {figures(scored, NO_CALIBRATION)}  after: {figures(scored, calibration)}")
    print(f"left out, too long: {left_out}")
    print(json.dumps(calibration))
    arguments.out.write_text(json.dumps(calibration, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
