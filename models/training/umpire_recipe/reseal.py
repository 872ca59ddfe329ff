"""Gives a sealed pack its release's card and curves, and seals it anew.

python -m umpire_recipe.reseal --pack <folder> --release releases/<id>

Weights, graphs, tokenizer and temperatures stay as they are, so the pack's answers stay the same, bit for bit.
"""

import argparse
import hashlib
import json
from pathlib import Path

from umpire_recipe.export.pack import CARD, MANIFEST, sealed

CURVES = "accuracy"


class Refused(Exception):
    """The pack is damaged, or its answers would change."""


def reseal(pack: Path, release: Path) -> None:
    text = (pack / MANIFEST).read_bytes()
    if (pack / f"{MANIFEST}.sha256").read_text("utf-8") != f"{hashlib.sha256(text).hexdigest()}  {MANIFEST}\n":
        raise Refused(f"{MANIFEST} is not as it was sealed.")
    manifest = json.loads(text)
    for name, file in manifest["files"].items():
        if hashlib.sha256((pack / name).read_bytes()).hexdigest() != file["sha256"]:
            raise Refused(f"{name} is not as it was sealed.")
    calibration = json.loads((release / "calibration.json").read_text("utf-8"))
    for name, value in calibration.items():
        if name != CURVES and value != manifest["calibration"].get(name):
            raise Refused(f"The release has another temperature of {name} than the pack, so the pack's answers would change.")
    manifest["calibration"] = calibration
    (pack / CARD).write_bytes((release / "card.md").read_bytes())
    sealed(pack, manifest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--release", type=Path, required=True, help="folder with card.md and calibration.json")
    arguments = parser.parse_args()
    try:
        reseal(arguments.pack, arguments.release)
    except Refused as refused:
        parser.exit(1, f"{refused}\n")


if __name__ == "__main__":
    main()
