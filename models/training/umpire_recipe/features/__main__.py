"""Fits the basis of a pack's features, by which lessons learn from few examples.

python -m umpire_recipe.features --pack <folder> --data <data> --out <file>

Raw features of some thousand texts, read by the int8 graph, are decorrelated by principal components and brought to one variance, for the
state and for the question. Export the pack again with --features to include the file; a sealed pack takes it with umpire_recipe.reseal.
"""

import argparse
from pathlib import Path

import numpy as np

from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.answering.features import Featurer
from umpire_recipe.answering.session import PackSession
from umpire_recipe.features.basis import Principal, principal, written
from umpire_recipe.features.texts import texts

COMPONENTS = 96  # of each part


def collected(featurer: Featurer, read: list[tuple[str, str]]) -> np.ndarray:
    """Raw features [parts, rows, N]. Texts that are too long for the model are left out."""
    found, left_out = [], 0
    for state, instructions in read:
        try:
            found.append(featurer.raw(state, instructions))
        except ValueError:
            left_out += 1
    print(f"{len(found)} texts, {left_out} left out because they are too long", flush=True)
    return np.array(found).swapaxes(0, 1)


def lost(exact: Principal, raw: np.ndarray) -> float:
    """The smallest cosine between features [rows, K] by the exact and by the stored basis."""
    a, b = exact.features(raw), exact.stored().features(raw)
    return float(((a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)).min())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls; only rows of its train folder are read")
    parser.add_argument("--rows", type=int, default=150, help="rows of each classification set (default: 150)")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    manifest = read_manifest(arguments.pack)
    featurer = Featurer(arguments.pack, manifest, PackSession(arguments.pack, manifest, "int8"))
    raw = collected(featurer, texts(arguments.data, arguments.rows))
    components = min(COMPONENTS, *(count // 2 for count in raw.shape[1:]))  # the last ones of a small network are noise
    parts = [principal(part, components) for part in raw]
    for name, part, rows in zip(("state", "question"), parts, raw, strict=True):
        variance = (part.deviations**2).sum() / rows.var(axis=0).sum()
        print(f"{name}: {variance:.3f} of the variance, cosine of stored and exact features at least {lost(part, rows):.5f}")
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_bytes(written([part.stored() for part in parts]))


if __name__ == "__main__":
    main()
