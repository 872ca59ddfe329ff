"""Measures how far a pack's int8 graph is from its fp32 graph, and both from the checkpoint before quantisation.

python -m umpire_recipe.evaluate.compare --pack models/<id> [--golden test/golden/<id>.json] [--data <data>] [--checkpoint <safetensors>]

For each pair it prints the share of questions with the same decision, and the largest and mean change of a probability. The mean is taken
over questions, of the largest change among each question's probabilities.
"""

import argparse
import json
import random
from pathlib import Path

import numpy as np

from umpire_recipe.answering.decider import Decider, Network, read_manifest
from umpire_recipe.answering.reference import Reference
from umpire_recipe.answering.session import PackSession
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.evaluate.tuning import set_questions
from umpire_recipe.export.weights import named_tensors
from umpire_recipe.prepare.sources import json_rows, set_names
from umpire_recipe.reading.windows import segments_of

DECISIONS_EACH, ROWS_EACH = 14, 6  # questions from each file, rows from each classification set
TIE = 1e-6  # options with the same text differ only by rounding: choosing either is the same decision
OPTIONS_VARY = ("sgd_slot_choice",)  # sets whose rows have different labels


def sampled(data: Path, seed: int = 5) -> list[tuple]:
    """(state, question) pairs from every training file."""
    chance, found = random.Random(seed), []
    for path in sorted((data / "decisions" / "train").glob("*.jsonl.gz")):
        questions = [(row["state"], question) for row in json_rows(path) for question in row["questions"].values()]
        found += chance.sample(questions, min(DECISIONS_EACH, len(questions)))
    for name in set_names(data):
        if name not in OPTIONS_VARY:
            found += [(one.state, one.question) for one in set_questions(data, name, ROWS_EACH, chance)]
    return found


def golden(path: Path) -> list[tuple]:
    requests = [case["request"] for case in json.loads(path.read_text("utf-8"))["cases"]]
    return [(request["state"], question) for request in requests for question in request["questions"].values()]


def stated(decider: Decider, pairs: list[tuple]) -> list[np.ndarray]:
    """Probabilities of each question, for a noul [yes, no]. Empty if the question exceeds a limit."""
    found = []
    for state, question in pairs:
        try:
            p = decider.decide(state, {"it": question})["it"].probabilities
        except ValueError:
            p = np.array([])
        found.append(np.array([p[0], 1 - p[0]]) if len(p) == 1 else p)
    return found


def difference(first: list[np.ndarray], second: list[np.ndarray]) -> str:
    pairs = [(p, q) for p, q in zip(first, second, strict=True) if len(p)]
    same = np.mean([q[p.argmax()] > q.max() - TIE for p, q in pairs])
    changes = [np.abs(p - q).max() for p, q in pairs]
    return (
        f"n {len(pairs)}  same decision {same:.4f}  largest change {max(changes):.4f}  "
        f"mean {np.mean(changes):.5f}  99% below {np.quantile(changes, 0.99):.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--golden", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--checkpoint", type=Path)
    arguments = parser.parse_args()
    manifest = read_manifest(arguments.pack)
    networks: dict[str, Network] = {name: PackSession(arguments.pack, manifest, name) for name in ("int8", "fp32")}
    if arguments.checkpoint:
        checkpoint = str(arguments.checkpoint)
        networks["checkpoint"] = Reference(named_tensors(checkpoint), read_settings(checkpoint), segments_of(manifest))
    sources = {"golden": golden(arguments.golden)} if arguments.golden else {}
    if arguments.data:
        sources["training data"] = sampled(arguments.data)
    for source, pairs in sources.items():
        answers = {name: stated(Decider(arguments.pack, manifest, network), pairs) for name, network in networks.items()}
        for first, second in (("int8", "fp32"), ("fp32", "checkpoint"), ("int8", "checkpoint")):
            if first in answers and second in answers:
                print(f"{source}: {first} to {second}: {difference(answers[first], answers[second])}", flush=True)


if __name__ == "__main__":
    main()
