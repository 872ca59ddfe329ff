"""Gives a sealed pack its release's card, curves and counts, and if wanted a basis of features or new graphs, and seals it anew.

python -m umpire_recipe.reseal --pack <folder> --release releases/<id> [--features <file>] [--graphs]

Weights, tokenizer and temperatures stay as they are, so the pack's answers stay the same, bit for bit. With --graphs, the graphs are
written anew by this version of the recipe: answers stay the same but for rounding. Lessons name their pack's seal: those that were taught
before are refused from then on.
"""

import argparse
import hashlib
import json
from pathlib import Path

from umpire_recipe.answering.features import feature_layers
from umpire_recipe.answering.reference import settings_of
from umpire_recipe.export.manifest import in_manifest, tolerance_of
from umpire_recipe.export.pack import CARD, MANIFEST, WEIGHTS, add_basis, sealed, write_graphs
from umpire_recipe.export.self_test import self_test_features, self_test_scores
from umpire_recipe.export.weights_file import laid_out, stored_tensors, weights_in

CURVES = ("accuracy", "risk", "thresholds")  # all else in a calibration changes answers


class Refused(Exception):
    """The pack is damaged, or its answers would change."""


def reseal(pack: Path, release: Path, basis: Path | None = None, new_graphs: bool = False) -> None:
    """basis: a file that features wrote. Default: the pack's own stays. new_graphs: whether the graphs are written anew."""
    text = (pack / MANIFEST).read_bytes()
    if (pack / f"{MANIFEST}.sha256").read_text("utf-8") != f"{hashlib.sha256(text).hexdigest()}  {MANIFEST}\n":
        raise Refused(f"{MANIFEST} is not as it was sealed.")
    manifest = json.loads(text)
    for name, file in manifest["files"].items():
        if hashlib.sha256((pack / name).read_bytes()).hexdigest() != file["sha256"]:
            raise Refused(f"{name} is not as it was sealed.")
    calibration = json.loads((release / "calibration.json").read_text("utf-8"))
    for name, value in calibration.items():
        if name not in CURVES and value != manifest["calibration"].get(name):
            raise Refused(f"The release has another temperature of {name} than the pack, so the pack's answers would change.")
    manifest["calibration"] = in_manifest(calibration)
    if basis:
        manifest = with_features(manifest)
        try:
            add_basis(pack, manifest, basis.read_bytes())
        except ValueError as error:
            raise Refused(str(error)) from error
    if new_graphs:
        weights = weights_in(pack, manifest, settings_of(pack, manifest))
        if laid_out(stored_tensors(weights))[0] != (pack / WEIGHTS).read_bytes():
            raise Refused(f"{WEIGHTS} holds other tensors than the graphs name.")
        write_graphs(pack, weights)
        manifest["tokenizer"].pop("padId", None)  # graphs before these padded rows
        manifest["selfTest"] |= {"scores": self_test_scores(pack, manifest), "tolerance": tolerance_of(manifest["network"]["layers"])}
    if basis or new_graphs:
        manifest["selfTest"]["features"] = self_test_features(pack, manifest)
    (pack / CARD).write_bytes((release / "card.md").read_bytes())
    sealed(pack, manifest)


def with_features(manifest: dict) -> dict:
    """A manifest that names the layers of features, at the places where a new pack's does."""
    placed = {}
    for name, value in manifest.items():
        if name == "calibration":
            placed["features"] = {"layers": feature_layers(manifest)}
        placed[name] = value
    tolerance = placed["selfTest"].pop("tolerance")
    placed["selfTest"] |= {"features": {}, "tolerance": tolerance}
    return placed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--release", type=Path, required=True, help="folder with card.md and calibration.json")
    parser.add_argument("--features", type=Path, help="the basis of features, a file that features wrote; default: the pack's own stays")
    parser.add_argument("--graphs", action="store_true", help="write the graphs anew; answers then differ by rounding")
    arguments = parser.parse_args()
    try:
        reseal(arguments.pack, arguments.release, arguments.features, arguments.graphs)
    except Refused as refused:
        parser.exit(1, f"{refused}\n")


if __name__ == "__main__":
    main()
