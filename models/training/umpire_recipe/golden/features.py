"""Writes golden vectors of features: some questions of the golden requests, and the features that the fp32 reference gives them.

python -m umpire_recipe.golden.features --pack models/<id> --out test/golden/<id>-features.json

A case is {name, question, features}: the name of a golden request, the id of one of its questions, and its features by the pack's basis.
"""

import argparse
import hashlib
from pathlib import Path

from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.answering.features import Featurer
from umpire_recipe.answering.reference import pack_reference
from umpire_recipe.golden.cases import golden_requests, made_with, write_cases
from umpire_recipe.reading.request_text import reading_of, text_of

ASKED = [
    ("parcel left with a neighbour", "route"),
    ("parcel left with a neighbour", "urgent"),
    ("parcel left with a neighbour", "tone"),
    ("kettle under warranty", "proof"),  # without instructions
    ("empty string", "empty"),  # without anything to read
    ("Arabic", "what"),
    ("nested objects and arrays", "mugs"),
    ("instructions and options as long as they may be", "fullest"),
    ("a state of 382 tokens", "witnesses"),
    ("a state of 701 tokens", "order"),  # three windows
    ("a state of 2048 tokens", "content"),
]
DIGITS = 7  # after the point


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    manifest = read_manifest(arguments.pack)
    featurer = Featurer(arguments.pack, manifest, pack_reference(arguments.pack, manifest))
    requests = {request["name"]: request for request in golden_requests(featurer.decider.tokenizer)}
    cases = []
    for name, question in ASKED:
        request = requests[name]
        features = featurer.features(text_of(request["state"]), reading_of(request["questions"][question]).instructions)
        cases.append({"name": name, "question": question, "features": [round(feature, DIGITS) for feature in features.tolist()]})
    made = made_with(arguments.pack, manifest) | {"layers": featurer.layers}
    basis = manifest.get("features", {}).get("basis")
    if basis:
        made["basisSha256"] = hashlib.sha256((arguments.pack / basis["file"]).read_bytes()).hexdigest()
    write_cases(arguments.out, made, cases)
    print(f"{len(cases)} cases of {len(cases[0]['features'])} features")


if __name__ == "__main__":
    main()
