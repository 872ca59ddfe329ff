"""The weighted mean of checkpoints of one run: python models/training/merge --out <safetensors> <safetensors>=0.3 <safetensors>=0.7

Weights that were trained on from one another lie in one valley, and their mean often judges new kinds of text better than either (Wortsman et al. 2022, "Model soups").
Weights must sum to 1.
"""

import argparse
import math
from pathlib import Path

from safetensors.torch import load_file, save_file


def weighted(text: str) -> tuple[Path, float]:
    path, _, weight = text.rpartition("=")
    if not path:
        raise argparse.ArgumentTypeError(f"'{text}' has no weight: write <checkpoint>=<weight>")
    return Path(path), float(weight)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", type=weighted, nargs="+", metavar="checkpoint=weight")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    if not math.isclose(sum(weight for _, weight in arguments.parts), 1):
        parser.error("the weights do not sum to 1")
    loaded = [(load_file(str(path)), weight) for path, weight in arguments.parts]
    first = loaded[0][0]
    if any(tensors.keys() != first.keys() for tensors, _ in loaded):
        parser.error("the checkpoints are of networks of different shapes")
    merged = {name: sum(tensors[name].float() * weight for tensors, weight in loaded).half() for name in first}
    save_file(merged, str(arguments.out))


if __name__ == "__main__":
    main()
