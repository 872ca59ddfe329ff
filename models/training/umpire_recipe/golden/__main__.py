"""Writes golden vectors: requests, and the answers of the fp32 reference with the pack's own weights.

python -m umpire_recipe.golden --pack models/<id> --out test/golden/<id>.json

Requests come from requests/*.json and from code (long states, many options). A case is {name, request, stateTokens, stateTokenIds?,
answers: {id: {probabilities, scores}}}. Probabilities are in the order in which JavaScript lists the criteria; for a noul [P(yes)].
"""

import argparse
from pathlib import Path

from umpire_recipe.answering.decider import Decider, read_manifest
from umpire_recipe.answering.reference import pack_reference
from umpire_recipe.golden.cases import golden_requests, made_with, write_cases
from umpire_recipe.reading.request_text import text_of

MOST_IDS = 120  # a state with at most this many tokens is stored with its ids, which pins the tokenizer


def case_of(request: dict, decider: Decider) -> dict:
    ids = decider.tokenizer.ids(text_of(request["state"]))
    case = {"name": request["name"], "request": {"state": request["state"], "questions": request["questions"]}, "stateTokens": len(ids)}
    if len(ids) <= MOST_IDS:
        case["stateTokenIds"] = ids
    answers = decider.decide(request["state"], request["questions"])
    case["answers"] = {
        name: {"probabilities": answer.probabilities.tolist(), "scores": [float(f"{score:.9g}") for score in answer.scores]}
        for name, answer in answers.items()
    }
    return case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    manifest = read_manifest(arguments.pack)
    decider = Decider(arguments.pack, manifest, pack_reference(arguments.pack, manifest))
    requests = golden_requests(decider.tokenizer)
    cases = []
    for request in requests:
        cases.append(case_of(request, decider))
        print(f"{cases[-1]['stateTokens']:6} tokens  {request['name']}", flush=True)
    write_cases(arguments.out, made_with(arguments.pack, manifest), cases)
    print(f"{len(cases)} cases, {sum(len(case['answers']) for case in cases)} questions")


if __name__ == "__main__":
    main()
