"""Turns a checkpoint into a pack: python models/training/export --checkpoint <safetensors> --out models/<id>"""

import argparse
import json
from pathlib import Path

from manifest import NO_CALIBRATION, manifest_of
from pack import sealed, write_files
from smoothing import largest_inputs
from verify import measure_self_test
from weights import named_tensors, quantised_weights

HERE = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkpoint", type=Path, required=True, help="safetensors file with the names of weights.py")
    parser.add_argument("--out", type=Path, required=True, help="the pack's folder; its name is the pack's id")
    parser.add_argument("--calibration", type=Path, help="temperatures, as calibrate writes them; none: all 1")
    parser.add_argument("--card", type=Path, help="the model card; default: cards/<id>.md. Beside it, with the ending .json, stand description, releaseDate and licence")
    arguments = parser.parse_args()
    pack_id = arguments.out.name
    card = arguments.card or HERE / "cards" / f"{pack_id}.md"
    facts = json.loads(card.with_suffix(".json").read_text("utf-8"))
    calibration = json.loads(arguments.calibration.read_text("utf-8")) if arguments.calibration else NO_CALIBRATION

    tensors = named_tensors(str(arguments.checkpoint))
    weights = quantised_weights(tensors, largest_inputs(tensors))
    write_files(arguments.out, weights, card.read_text("utf-8"))
    manifest = manifest_of(pack_id, facts, weights, calibration)
    measure_self_test(arguments.out, manifest)
    sealed(arguments.out, manifest)
    size = sum(file["sizeBytes"] for file in manifest["files"].values())
    print(f"{pack_id}: {size / 1e6:.1f} MB, scores {manifest['selfTest']['scores']}")


if __name__ == "__main__":
    main()
