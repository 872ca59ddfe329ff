"""Gathers what training on a card needs in one folder, and checks that it may travel.

python -m umpire_recipe.on_card.pack --data <data>

Writes to work/on-card, which git ignores:
  mix.xz         the mix, with the part that each group belongs to; at most 25 MiB
  weights.xz     the weights to start from; left out if they are those of the sealed pack, which travels with the repository
  tuning.xz      the tuning split
  manifest.json  sizes and SHA-256 of these files, and what the run must know

With --backbone its tokenizer besides, a mix of any size, and all of it in folders part-1, part-2 and on. Each is small enough for a
transfer of its own, with the repository's files. With --teacher <pack> also the weights of that pack, whose answers are then learnt.

Generated twins are left out: the card's machine makes them on its own processors. The options of the mix are those of `prepare`.
"""

import argparse
import json
import random
import shutil
import sys
from dataclasses import asdict
from io import BytesIO
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.answering.reference import settings_of
from umpire_recipe.architecture import Settings, Tensors, settings_in
from umpire_recipe.backbone.folder import add_backbone_option, own_backbone
from umpire_recipe.backbone.refused import BackboneRefused
from umpire_recipe.backbone.start import changed, is_difference, starting_tensors
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.evaluate.judged import judged_split
from umpire_recipe.evaluate.scores import packed
from umpire_recipe.folders import TRAINING
from umpire_recipe.on_card.folder import (
    MANIFEST,
    MIX,
    ON_CARD,
    SEALED,
    TEACHER,
    TEACHER_IDS,
    TOKENIZER,
    TUNING,
    WEIGHTS,
    compressed,
    listed,
)
from umpire_recipe.on_card.limits import LEAST_SENT_BYTES, MIB, MIX_BYTES, RETURNED_BYTES, SENT_BYTES, TooLarge, at_most, repository_bytes
from umpire_recipe.on_card.parts import in_parts, part_name, pieces_of
from umpire_recipe.on_card.pieces import OTHER_BYTES
from umpire_recipe.on_card.plan import part_of
from umpire_recipe.on_card.weights import layers_of, packed_weights, picked, sealed_tensors
from umpire_recipe.prepare.mixing import add_options, mixed
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.batches import Mix

BACKBONE, PACK = "backbone", "pack"
MANIFEST_ROOM = 4096  # for the names of pieces in it


def parsed(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls, nli and decisions; only their train folders are read")
    parser.add_argument("--out", type=Path, default=ON_CARD, help="default: work/on-card")
    told = (
        "pack (the sealed one), backbone, a checkpoint, or differences from --backbone (safetensors); default: pack, with --backbone that"
    )
    parser.add_argument("--start", help=told)
    add_backbone_option(parser, "the weights to start from, and the tokenizer")
    parser.add_argument("--teacher", type=Path, help="a pack of the same words whose answers are learnt, too; needs --backbone")
    parser.add_argument("--sealed", type=Path, default=SEALED, help="the sealed pack in the repository (default: models/umpire-2)")
    parser.add_argument("--layers", type=int, help="layers to train; each is repeated, so that 12 are the six, each twice")
    parser.add_argument("--pick-layers", type=int, nargs="+", help="numbers of the layers to train, from 0; default: all")
    add_options(parser)
    parser.set_defaults(twins=0)
    arguments = parser.parse_args(words)
    arguments.start = arguments.start or (BACKBONE if arguments.backbone else PACK)
    if arguments.backbone and arguments.start == PACK:
        parser.error("--start pack goes without --backbone")
    if arguments.teacher and not arguments.backbone:
        parser.error("--teacher needs --backbone: its weights travel in parts")
    return arguments


def tokenizer_of(arguments: argparse.Namespace) -> TextTokenizer:
    return TextTokenizer((arguments.backbone or own_backbone()).tokenizer_json)


def mix_of(arguments: argparse.Namespace) -> dict[str, np.ndarray]:
    """The arrays of a mix, and group_part: plan.part_of each group."""
    packer, parts = Packer(tokenizer_of(arguments)), []
    for group in mixed(arguments.data, arguments, random.Random(arguments.seed)):
        if packer.add(group)[0]:
            parts.append(part_of(group.source))
    arrays = packer.arrays() | {"group_part": np.array(parts, np.uint8)}
    print(f"{len(parts)} groups, {len(arrays['question_kind'])} questions, {Mix(arrays).lengths.sum() / 1e6:.1f}M tokens", flush=True)
    return arrays


def tuning_of(arguments: argparse.Namespace) -> dict[str, np.ndarray]:
    """The tuning split as the arrays of a mix, and `judged`: JSON in bytes, how each group's scores count."""
    split = [one for part in judged_split(arguments.data, arguments.authored) for one in part]
    arrays, read = packed([group for group, _ in split], tokenizer_of(arguments))
    judged = [asdict(way) for (_, way), was_read in zip(split, read, strict=True) if was_read]
    return arrays | {"judged": np.frombuffer(json.dumps(judged).encode(), np.uint8)}


def weights_of_backbone(arguments: argparse.Namespace) -> tuple[Tensors, Settings]:
    backbone, start = arguments.backbone, arguments.start
    if start != BACKBONE and not is_difference(start):
        tensors = {name: tensor.astype(np.float32) for name, tensor in load_file(start).items()}
        if len(tensors["word.weight"]) != backbone.shape.words or read_settings(start) != backbone.settings:
            sys.exit("The checkpoint comes from another backbone.")
        return tensors, backbone.settings
    try:
        tensors = starting_tensors(backbone) if start == BACKBONE else changed(starting_tensors(backbone), start)
    except BackboneRefused as refused:
        sys.exit(str(refused))
    return {name: tensor.numpy() for name, tensor in tensors.items()}, backbone.settings


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


def teacher_ids(own: bytes, teachers: bytes) -> np.ndarray:
    """[words] int64: the teacher's id of each token of the network in training."""
    mine, theirs = json.loads(own)["model"], json.loads(teachers)["model"]
    if missing := [token for token in mine["vocab"] if token not in theirs["vocab"]]:
        sys.exit(f"The teacher does not know {len(missing)} of the {len(mine['vocab'])} tokens: it must have the same words.")
    mine_read, theirs_read = TextTokenizer(own), TextTokenizer(teachers)
    ids = np.zeros(mine_read.words, np.int64)
    for token, number in mine["vocab"].items():
        ids[number] = theirs["vocab"][token]
    ids[mine["vocab"][mine["unk_token"]]] = theirs["vocab"][theirs["unk_token"]]
    ids[mine_read.cls_id], ids[mine_read.sep_id] = theirs_read.cls_id, theirs_read.sep_id
    return ids


def teacher_files(arguments: argparse.Namespace) -> dict[str, bytes]:
    ids = BytesIO()
    np.save(ids, teacher_ids(arguments.backbone.tokenizer_json, (arguments.teacher / TOKENIZER).read_bytes()))
    return {TEACHER: packed_weights(sealed_tensors(arguments.teacher), {}), TEACHER_IDS: ids.getvalue()}


def packed_files(arguments: argparse.Namespace) -> tuple[dict[str, bytes], Tensors, Settings]:
    """Contents by name, the weights to start from, and their settings."""
    sealed = {} if arguments.backbone else sealed_tensors(arguments.sealed)
    if arguments.backbone:
        start, settings = weights_of_backbone(arguments)
    else:
        start = weights_to_start(arguments.start, sealed)
        settings = settings_in(None, start["word.weight"].shape[1])
    if arguments.pick_layers:
        if max(arguments.pick_layers) >= layers_of(start) or min(arguments.pick_layers) < 0:
            sys.exit(f"There are {layers_of(start)} layers, numbered from 0.")
        start = picked(start, arguments.pick_layers)
    files = {TOKENIZER: arguments.backbone.tokenizer_json} if arguments.backbone else {}
    if arguments.teacher:
        files |= teacher_files(arguments)
    files |= {TUNING: compressed(tuning_of(arguments)), MIX: compressed(mix_of(arguments))}
    if not arguments.backbone:  # in parts, a larger one may travel
        at_most("The mix", len(files[MIX]), MIX_BYTES, "Choose fewer --passes, --rows or --decision-passes, or a smaller --nli-share.")
    if arguments.start != PACK or arguments.pick_layers:
        files[WEIGHTS] = packed_weights(start, sealed)
    return files, start, settings


def manifest_of(arguments: argparse.Namespace, files: dict[str, bytes], start: Tensors, settings: Settings) -> dict:
    layers = arguments.layers or layers_of(start)
    is_large = bool(arguments.backbone) and 2 * sum(tensor.size for tensor in start.values()) > RETURNED_BYTES - OTHER_BYTES
    # More layers do not fit in what may come back unless the word embedding stays as it was.
    keeps = is_large if arguments.backbone else layers > read_manifest(arguments.sealed)["network"]["layers"]
    teacher = arguments.teacher and settings_of(arguments.teacher, read_manifest(arguments.teacher))
    return {
        "files": {name: listed(content) for name, content in files.items()},
        "layers": layers,
        "settings": settings.metadata(),
        "nearSealed": not arguments.backbone,
        "keepsWords": keeps,
        # Larger networks come back as differences from the start, in int8.
        "returnsDifferences": is_large,
    } | ({"teacherSettings": teacher.metadata()} if teacher else {})


def write_whole(out: Path, files: dict[str, bytes], manifest: dict, own: int) -> None:
    sent = sum(map(len, files.values()))
    is_whole = own > SENT_BYTES - LEAST_SENT_BYTES
    advice = "pack, and send, from a folder that holds models/training and models/umpire-2 alone" if is_whole else "make the mix smaller"
    at_most("Everything that travels", own + sent, SENT_BYTES, f"{own / MIB:.1f} MiB are the repository's own: {advice}.")
    emptied(out)
    for name, content in files.items():
        (out / name).write_bytes(content)
        print(f"{name:12} {len(content) / MIB:6.2f} MiB")
    (out / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    print(f"with the repository's {own / MIB:.1f} MiB: {(own + sent) / MIB:.1f} of {SENT_BYTES / MIB:.0f} MiB")


def write_in_parts(out: Path, files: dict[str, bytes], manifest: dict, own: int) -> None:
    advice = "Pack, and send, from a folder that holds models/training alone."
    at_most("The repository's own files", own, SENT_BYTES - LEAST_SENT_BYTES, advice)
    # Beside the manifest, which is in each.
    parts = in_parts(files, SENT_BYTES - own - len(json.dumps(manifest)) - MANIFEST_ROOM)
    for name, entry in manifest["files"].items():
        entry["pieces"] = pieces_of(name, parts)
    emptied(out)
    for number, part in enumerate(parts, 1):
        folder = out / part_name(number)
        folder.mkdir()
        for path, content in part:
            (out / path).write_bytes(content)
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f"{folder.name}: {size / MIB:.1f} MiB, {(own + size) / MIB:.1f} of {SENT_BYTES / MIB:.0f} MiB with the repository's own")


def emptied(out: Path) -> None:
    """Leaves nothing there of an earlier pack."""
    out.mkdir(parents=True, exist_ok=True)
    for path in out.iterdir():
        if path.is_dir() and path.name.startswith("part-"):
            shutil.rmtree(path)
        elif path.name in (MANIFEST, MIX, TUNING, WEIGHTS, TOKENIZER, TEACHER, TEACHER_IDS):
            path.unlink()


def main(words: list[str] | None = None) -> None:
    arguments = parsed(words)
    try:
        files, start, settings = packed_files(arguments)
        if arguments.layers and arguments.layers % layers_of(start):
            sys.exit(f"{layers_of(start)} layers cannot be repeated to make {arguments.layers}: use a multiple.")
        manifest, own = manifest_of(arguments, files, start, settings), repository_bytes(TRAINING.parents[1])
        (write_in_parts if arguments.backbone else write_whole)(arguments.out, files, manifest, own)
    except TooLarge as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
