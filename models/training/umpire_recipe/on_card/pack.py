"""Gathers what training on a card needs in one folder, and checks that it may travel.

python -m umpire_recipe.on_card.pack --data <data>

Writes to work/on-card, which git ignores:
  mix.xz         the mix, with the part that each group belongs to; at most 25 MiB
  weights.xz     the weights to start from; left out if they are those of the sealed pack, which travels with the repository
  tuning.xz      the tuning split
  manifest.json  sizes and SHA-256 of these files, and what the run must know

Generated twins are left out: the card's machine makes them on its own processors. The options of the mix are those of `prepare`.
"""

import argparse
import json
import random
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.architecture import Tensors, settings_in
from umpire_recipe.backbone.folder import own_backbone
from umpire_recipe.backbone.start import starting_tensors
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.evaluate.judged import judged_split
from umpire_recipe.evaluate.scores import packed
from umpire_recipe.folders import TRAINING
from umpire_recipe.on_card.folder import MANIFEST, MIX, ON_CARD, SEALED, TUNING, WEIGHTS, compressed, listed
from umpire_recipe.on_card.limits import MIB, MIX_BYTES, SENT_BYTES, TooLarge, at_most, repository_bytes
from umpire_recipe.on_card.plan import part_of
from umpire_recipe.on_card.weights import layers_of, packed_weights, sealed_tensors
from umpire_recipe.prepare.mixing import add_options, mixed
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.batches import Mix

BACKBONE, PACK = "backbone", "pack"


def parsed(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls, nli and decisions; only their train folders are read")
    parser.add_argument("--out", type=Path, default=ON_CARD, help="default: work/on-card")
    parser.add_argument("--start", default=PACK, help="pack (the sealed one), backbone, or a checkpoint (safetensors); default: pack")
    parser.add_argument("--sealed", type=Path, default=SEALED, help="the sealed pack in the repository (default: models/umpire-2)")
    parser.add_argument("--layers", type=int, help="layers to train; each is repeated, so that 12 are the six, each twice")
    add_options(parser)
    parser.set_defaults(twins=0)
    return parser.parse_args(words)


def mix_of(arguments: argparse.Namespace) -> dict[str, np.ndarray]:
    """The arrays of a mix, and group_part: plan.part_of each group."""
    packer, parts = Packer(TextTokenizer(own_backbone().tokenizer_json)), []
    for group in mixed(arguments.data, arguments, random.Random(arguments.seed)):
        if packer.add(group)[0]:
            parts.append(part_of(group.source))
    arrays = packer.arrays() | {"group_part": np.array(parts, np.uint8)}
    print(f"{len(parts)} groups, {len(arrays['question_kind'])} questions, {Mix(arrays).lengths.sum() / 1e6:.1f}M tokens", flush=True)
    return arrays


def tuning_of(data: Path, authored: Path) -> dict[str, np.ndarray]:
    """The tuning split as the arrays of a mix, and `judged`: JSON in bytes, how each group's scores count."""
    split = [one for part in judged_split(data, authored) for one in part]
    arrays, read = packed([group for group, _ in split], TextTokenizer(own_backbone().tokenizer_json))
    judged = [asdict(way) for (_, way), was_read in zip(split, read, strict=True) if was_read]
    return arrays | {"judged": np.frombuffer(json.dumps(judged).encode(), np.uint8)}


def weights_to_start(start: str, sealed: Tensors) -> Tensors:
    if start == PACK:
        return sealed
    if start == BACKBONE:
        return {name: tensor.numpy() for name, tensor in starting_tensors(own_backbone()).items()}
    tensors = {name: tensor.astype(np.float32) for name, tensor in load_file(start).items()}
    # What travels are tensors alone.
    usual = settings_in(None, tensors["word.weight"].shape[1])
    if read_settings(start) != usual or len(tensors["word.weight"]) != len(sealed["word.weight"]):
        sys.exit("The checkpoint comes from another backbone than the sealed pack. Train it with umpire_recipe.train --device cuda.")
    return tensors


def packed_files(arguments: argparse.Namespace) -> tuple[dict[str, bytes], int]:
    """Contents by name, and how many layers the weights have."""
    sealed = sealed_tensors(arguments.sealed)
    start = weights_to_start(arguments.start, sealed)
    files = {MIX: compressed(mix_of(arguments)), TUNING: compressed(tuning_of(arguments.data, arguments.authored))}
    at_most("The mix", len(files[MIX]), MIX_BYTES, "Choose fewer --passes, --rows or --decision-passes, or a smaller --nli-share.")
    if arguments.start != PACK:
        files[WEIGHTS] = packed_weights(start, sealed)
    return files, layers_of(start)


def main(words: list[str] | None = None) -> None:
    arguments = parsed(words)
    try:
        files, have = packed_files(arguments)
        if arguments.layers and arguments.layers % have:
            sys.exit(f"{have} layers cannot be repeated to make {arguments.layers}: use a multiple.")
        own, sent = repository_bytes(TRAINING.parents[1]), sum(map(len, files.values()))
        at_most("Everything that travels", own + sent, SENT_BYTES, f"{own / MIB:.1f} MiB are the repository's own: make the mix smaller.")
    except TooLarge as error:
        sys.exit(str(error))
    # More layers do not fit in what may come back unless the word embedding stays as it is.
    manifest = {"files": {name: listed(content) for name, content in files.items()}, "layers": arguments.layers or have}
    manifest["keepsWords"] = manifest["layers"] > read_manifest(arguments.sealed)["network"]["layers"]
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / WEIGHTS).unlink(missing_ok=True)  # of an earlier pack
    for name, content in files.items():
        (arguments.out / name).write_bytes(content)
        print(f"{name:12} {len(content) / MIB:6.2f} MiB")
    (arguments.out / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(f"with the repository's {own / MIB:.1f} MiB: {(own + sent) / MIB:.1f} of {SENT_BYTES / MIB:.0f} MiB")


if __name__ == "__main__":
    main()
