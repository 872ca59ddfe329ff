"""Turns a checkpoint into a pack. The same input gives the same bytes.

python -m umpire_recipe.export --checkpoint <safetensors> --out <folder> --release releases/<id>
"""

import argparse
import json
import tomllib
from pathlib import Path

from umpire_recipe.backbone.folder import add_backbone_option, own_backbone
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.export.manifest import NO_CALIBRATION, manifest_of
from umpire_recipe.export.pack import add_basis, sealed, write_files
from umpire_recipe.export.self_test import self_test_features, self_test_scores
from umpire_recipe.export.smoothing import largest_inputs
from umpire_recipe.export.weights import WORDS, named_tensors, quantised_weights
from umpire_recipe.reading.tokenizer import TextTokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", type=Path, required=True, help="safetensors file, with the tensor names of weights.py")
    parser.add_argument("--out", type=Path, required=True, help="the pack's folder; its name becomes the pack's id")
    parser.add_argument(
        "--release", type=Path, required=True, help="folder with the model card, card.md, and release.toml, whose [pack] table is used"
    )
    parser.add_argument("--calibration", type=Path, help="JSON file that calibrate wrote; default: every temperature is 1")
    parser.add_argument("--features", type=Path, help="the basis of features, a file that features wrote; default: none")
    add_backbone_option(parser, "the tokenizer")
    arguments = parser.parse_args()
    facts = tomllib.loads((arguments.release / "release.toml").read_text("utf-8"))["pack"]
    card = (arguments.release / "card.md").read_text("utf-8")
    calibration = json.loads(arguments.calibration.read_text("utf-8")) if arguments.calibration else NO_CALIBRATION

    tensors, settings = named_tensors(str(arguments.checkpoint)), read_settings(arguments.checkpoint)
    backbone = arguments.backbone or own_backbone()
    if len(tensors[WORDS]) != backbone.shape.words:
        words = f"the checkpoint has {len(tensors[WORDS])} words, the backbone {backbone.shape.words}"
        parser.error(f"{words}: pass the --backbone that it was trained from")
    tokenizer = TextTokenizer(backbone.tokenizer_json)
    weights = quantised_weights(tensors, settings, largest_inputs(tensors, settings, tokenizer))
    write_files(arguments.out, weights, backbone.tokenizer_json, card)
    manifest = manifest_of(arguments.out.name, facts, weights, tokenizer, calibration)
    if arguments.features:
        add_basis(arguments.out, manifest, arguments.features.read_bytes())
    manifest["selfTest"]["scores"] = self_test_scores(arguments.out, manifest)
    manifest["selfTest"]["features"] = self_test_features(arguments.out, manifest)
    sealed(arguments.out, manifest)
    size = sum(file["sizeBytes"] for file in manifest["files"].values())
    print(f"{manifest['id']}: {size / 1e6:.1f} MB, self-test scores {manifest['selfTest']['scores']}")


if __name__ == "__main__":
    main()
