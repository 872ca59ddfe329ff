"""How far int8 is from fp32: python models/training/compare --pack models/<id> [--golden test/golden/<id>.json] [--data <data> --checkpoint <safetensors>]

Three comparisons, each as the share of questions with the same decision and the largest and mean change of a probability (the mean is over
questions, of the largest change among a question's probabilities): int8 graph to fp32 graph, fp32 graph to the checkpoint that was never
quantised (with --checkpoint), int8 graph to that checkpoint.
"""

import argparse
import json
import random
import sys
from pathlib import Path

import numpy as np

TRAINING = Path(__file__).resolve().parents[1]
sys.path += [str(TRAINING / name) for name in ("export", "prepare", "evaluate", "")]

from decision import Decider, Network, read_manifest  # noqa: E402
from reference import Reference  # noqa: E402
from session import PackSession  # noqa: E402
from sources import json_rows, set_names  # noqa: E402
from tuning import set_questions  # noqa: E402
from verify import integer_product_is_exact  # noqa: E402
from weights import named_tensors  # noqa: E402

DECISIONS_EACH, ROWS_EACH = 14, 6  # questions of each file, rows of each classification set
TIE = 1e-6  # options that read alike have one probability but for rounding: either is the right decision
OPTIONS_VARY = ("sgd_slot_choice",)  # sets without one list of labels


def sampled(data: Path, seed: int = 5) -> list[tuple]:
    """(state, question) of every training file."""
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
    """Probabilities of each question; a noul's as [yes, no]. Empty where the question is over a limit."""
    found = []
    for state, question in pairs:
        try:
            p = decider.decide(state, {"it": question})["it"].probabilities
        except ValueError:
            p = np.array([])
        found.append(np.array([p[0], 1 - p[0]]) if len(p) == 1 else p)
    return found


def difference(first: list[np.ndarray], second: list[np.ndarray]) -> str:
    pairs = [(p, q) for p, q in zip(first, second) if len(p)]
    same = np.mean([q[p.argmax()] > q.max() - TIE for p, q in pairs])
    changes = [np.abs(p - q).max() for p, q in pairs]
    return f"n {len(pairs)}  same decision {same:.4f}  largest change {max(changes):.4f}  mean {np.mean(changes):.5f}  99% below {np.quantile(changes, 0.99):.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--golden", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--checkpoint", type=Path)
    arguments = parser.parse_args()
    manifest = read_manifest(arguments.pack)
    int8 = "int8" if integer_product_is_exact(arguments.pack, manifest) else "int8-wide"
    networks: dict[str, Network] = {name: PackSession(arguments.pack, manifest, name) for name in (int8, "fp32")}
    if arguments.checkpoint:
        networks["checkpoint"] = Reference(named_tensors(str(arguments.checkpoint)))
    sources = {"golden": golden(arguments.golden)} if arguments.golden else {}
    if arguments.data:
        sources["training data"] = sampled(arguments.data)
    for source, pairs in sources.items():
        answers = {name: stated(Decider(arguments.pack, manifest, network), pairs) for name, network in networks.items()}
        for first, second in ((int8, "fp32"), ("fp32", "checkpoint"), (int8, "checkpoint")):
            if first in answers and second in answers:
                print(f"{source}: {first} to {second}: {difference(answers[first], answers[second])}", flush=True)


if __name__ == "__main__":
    main()
