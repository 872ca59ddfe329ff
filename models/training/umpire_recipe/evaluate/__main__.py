"""Measures a checkpoint on the tuning split, without calibration, to choose between recipes.

python -m umpire_recipe.evaluate --data <data> --checkpoint <safetensors>

`npm run accuracy` measures the released library on the eval folders.
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch

from umpire_recipe.answering.probabilities import softmax
from umpire_recipe.evaluate.figures import figures_of
from umpire_recipe.evaluate.scores import nli_logits, question_scores
from umpire_recipe.evaluate.tuning import hand_written, held_out_sets, hypotheses
from umpire_recipe.folders import AUTHORED
from umpire_recipe.prepare.sources import asked_of
from umpire_recipe.reading.request_text import in_javascript_order
from umpire_recipe.train.network import loaded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--quantised", action="store_true", help="round weights and activations as in int8")
    parser.add_argument("--out", type=Path, help="JSON file for the figures")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    arguments = parser.parse_args()
    network = loaded(arguments.checkpoint).to(arguments.device)
    network.quantised = arguments.quantised
    answers: dict[str, list[tuple]] = defaultdict(list)
    labelled = hand_written(arguments.data, arguments.authored) + held_out_sets(arguments.data)
    for one, scores in zip(labelled, question_scores(network, labelled, arguments.device), strict=True):
        if scores is None:
            continue
        asked, p = asked_of(one.question), softmax(scores)
        place, name = one.source.split("/")
        keys = [key for key, _ in in_javascript_order(one.question["criteria"])] if place == "cls" else range(len(p))
        entry = (keys[asked.answer], keys[int(p.argmax())], float(p.max()))
        answers[one.source if place == "cls" else f"{place} {one.question['type']}"].append(entry)
        if place != "cls":
            answers[f"{place}, all types"].append(entry)
        if "pairs" in name:
            answers["decisions, minimal pairs"].append(entry)
    for name, rows in hypotheses(arguments.data).items():
        for (label, *_), logits in zip(rows, nli_logits(network, rows, arguments.device), strict=True):
            if logits is not None:
                answers[f"nli/{name}"].append((label, int(logits[0].argmax()), float(softmax(logits[0]).max())))
    figures = {name: figures_of(*zip(*entries, strict=True)) for name, entries in sorted(answers.items())}
    sets = [figure for name, figure in figures.items() if name.startswith("cls/")]
    figures["cls, mean of sets"] = {key: float(np.mean([figure[key] for figure in sets])) for key in sets[0]}
    for name, figure in figures.items():
        print(f"{name:28} " + "  ".join(f"{key} {value:.3f}" if key != "n" else f"n {value:5.0f}" for key, value in figure.items()))
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
