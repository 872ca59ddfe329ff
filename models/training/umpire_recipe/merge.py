"""Averages checkpoints that were trained from one another.

python -m umpire_recipe.merge --out <safetensors> <safetensors>=0.3 <safetensors>=0.7

The mean often judges new kinds of text better than either checkpoint (Wortsman et al. 2022, "Model soups"). The shares must sum to 1.
"""

import argparse
import math
from pathlib import Path

from safetensors.torch import load_file

from umpire_recipe.checkpoint import read_settings, write_checkpoint


def weighted(text: str) -> tuple[Path, float]:
    path, _, share = text.rpartition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"'{text}' has no share: write <checkpoint>=<share>")
    return Path(path), float(share)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", type=weighted, nargs="+", metavar="checkpoint=share")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    if not math.isclose(sum(share for _, share in arguments.parts), 1):
        parser.error("the shares do not sum to 1")
    loaded = [(load_file(str(path)), share) for path, share in arguments.parts]
    first = loaded[0][0]
    settings = read_settings(arguments.parts[0][0])
    if any(tensors.keys() != first.keys() for tensors, _ in loaded) or any(read_settings(path) != settings for path, _ in arguments.parts):
        parser.error("the checkpoints belong to networks of different shapes")
    merged = {name: sum(tensors[name].float() * share for tensors, share in loaded) for name in first}
    write_checkpoint(arguments.out, merged, settings)


if __name__ == "__main__":
    main()
