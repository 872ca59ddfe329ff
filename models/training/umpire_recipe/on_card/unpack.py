"""Joins what came back from the card into a checkpoint for the rest of the recipe.

python -m umpire_recipe.on_card.unpack --returned <folder> [<folder> ...] --out <safetensors>

To go on from it in the next run: python -m umpire_recipe.on_card.pack --data <data> --start <safetensors>
"""

import argparse
import sys
from pathlib import Path

import torch

from umpire_recipe.checkpoint import write_checkpoint
from umpire_recipe.on_card.folder import ON_CARD, SEALED, Damaged, PackedFolder
from umpire_recipe.on_card.pieces import joined


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--returned", type=Path, required=True, nargs="+", help="folders with the files that came back")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint (safetensors) to write")
    parser.add_argument("--packed", type=Path, default=ON_CARD, help="the folder that the run was given (default: work/on-card)")
    parser.add_argument("--sealed", type=Path, default=SEALED, help="the sealed pack in the repository (default: models/umpire-2)")
    arguments = parser.parse_args(words)
    try:
        packed = PackedFolder(arguments.packed)
        start = packed.start(arguments.sealed)
        tensors = joined(arguments.returned, {name: torch.from_numpy(tensor) for name, tensor in start.items()})
    except Damaged as error:
        sys.exit(str(error))
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    write_checkpoint(arguments.out, tensors, packed.settings(start))
    print(f"{arguments.out.name}: {len(tensors)} tensors, {arguments.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
