"""Measures a checkpoint on the tuning split, without calibration, to choose between recipes.

python -m umpire_recipe.evaluate --data <data> --checkpoint <safetensors>

`npm run accuracy` measures the released library on the eval folders.
"""

import argparse
import json
from pathlib import Path

import torch

from umpire_recipe.backbone.folder import add_backbone_option, own_backbone
from umpire_recipe.evaluate.judged import figures_by_name, judged_split, table
from umpire_recipe.evaluate.scores import logits_of
from umpire_recipe.folders import AUTHORED
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.network import loaded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--quantised", action="store_true", help="round weights and activations as in int8")
    parser.add_argument("--out", type=Path, help="JSON file for the figures")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add_backbone_option(parser, "the tokenizer")
    arguments = parser.parse_args()
    tokenizer = TextTokenizer((arguments.backbone or own_backbone()).tokenizer_json)
    network = loaded(arguments.checkpoint).to(arguments.device)
    network.quantised = arguments.quantised
    judged, logits = [], []
    for part in judged_split(arguments.data, arguments.authored):
        groups, ways = zip(*part, strict=True)
        judged += ways
        logits += logits_of(network, groups, tokenizer, arguments.device)
    figures = figures_by_name(judged, logits)
    print(table(figures))
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
