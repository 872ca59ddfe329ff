"""What may come back: a checkpoint in pieces, joined again here.

A checkpoint is whole, in fp16, or as differences from the start, in int8 with a scale a row: half the size, and so near to it that rounding
the differences changes little. The word embedding is left out if it stayed as it was. What does not fit into one return waits for others.
"""

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load, save
from torch import Tensor

from umpire_recipe.backbone.start import CHANGES, SCALES
from umpire_recipe.on_card import limits
from umpire_recipe.on_card.folder import Damaged, checked, listed
from umpire_recipe.on_card.weights import EXACT

RETURNED = "checkpoint.json"
WORDS = "word.weight"
OTHER_FILES = 3  # the list of pieces, figures.json and log.jsonl
OTHER_BYTES = 2 * limits.MIB
SMALLEST = 1e-30


def check_returns(size: int) -> None:
    """Raises limits.TooLarge if a checkpoint of this many bytes may not come back."""
    limits.at_most("What comes back", size, limits.RETURNED_BYTES, "Train fewer layers, or keep the word embedding as it is.")
    pieces = -(-size // limits.PIECE_BYTES)
    if pieces + OTHER_FILES > limits.RETURNED_FILES:
        raise limits.TooLarge(f"What comes back: {pieces + OTHER_FILES} files, more than {limits.RETURNED_FILES}. Train fewer layers.")


def returned_bytes(tensors: dict[str, Tensor], keeps_words: bool) -> int:
    """Of a checkpoint that comes back whole."""
    return 2 * sum(tensor.numel() for name, tensor in tensors.items() if not (keeps_words and name == WORDS))


def pieces_a_return() -> int:
    return min((limits.RETURNED_BYTES - OTHER_BYTES) // limits.PIECE_BYTES, limits.RETURNED_FILES - OTHER_FILES)


def halves(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.half().contiguous().cpu() for name, tensor in tensors.items()}


def differences(tensors: Mapping[str, Tensor], start: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """In the form that backbone.start.changed reads."""
    found = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 1 or name in EXACT:
            found |= halves({name: tensor})
            continue
        change = tensor - start[name].to(tensor.device)
        scales = change.abs().amax(1).clamp_min(SMALLEST) / 127
        found[f"{name}{CHANGES}"] = (change / scales[:, None]).round().to(torch.int8).cpu()
        found[f"{name}{SCALES}"] = scales.cpu()
    return found


def write_pieces(
    out: Path, tensors: dict[str, Tensor], keeps_words: bool, start: Mapping[str, Tensor] | None = None, rest: Path | None = None
) -> None:
    """Writes the pieces and their list. They replace earlier ones only when all are written.

    keeps_words: leave out the word embedding. The list then holds its hash in fp16. start: what the differences are from; None for a whole
    checkpoint. rest: where pieces go that the first return has no room for, a folder a return; without it they are refused.
    """
    returned = {name: tensor for name, tensor in tensors.items() if not (keeps_words and name == WORDS)}
    content = save(halves(returned) if start is None else differences(returned, start))
    if rest is None:
        check_returns(len(content))
    cuts = [content[at : at + limits.PIECE_BYTES] for at in range(0, len(content), limits.PIECE_BYTES)]
    pieces = {f"checkpoint-{number}": cut for number, cut in enumerate(cuts)}
    list_of = {"pieces": {name: listed(cut) for name, cut in pieces.items()}, "isDifference": start is not None}
    list_of["words"] = words_hash(tensors[WORDS].half().cpu()) if keeps_words else None
    first = list(pieces)[: len(pieces) if rest is None else pieces_a_return()]
    # Written elsewhere first, because a run that is killed while it saves must leave no file too many.
    with tempfile.TemporaryDirectory() as folder:
        for name in first:
            (Path(folder) / name).write_bytes(pieces[name])
        (Path(folder) / RETURNED).write_text(json.dumps(list_of, indent=1) + "\n", encoding="utf-8")
        if rest:
            write_rest(rest, {name: cut for name, cut in pieces.items() if name not in first})
        for name in (*first, RETURNED):
            shutil.move(Path(folder) / name, out / name)


def return_name(number: int) -> str:
    return f"return-{number}"


def write_rest(rest: Path, pieces: Mapping[str, bytes]) -> None:
    """Folders of what comes back later: return-2 and on."""
    shutil.rmtree(rest, ignore_errors=True)
    names, each = list(pieces), pieces_a_return()
    for at in range(0, len(names), each):
        folder = rest / return_name(2 + at // each)
        folder.mkdir(parents=True)
        for name in names[at : at + each]:
            (folder / name).write_bytes(pieces[name])


def words_hash(words: Tensor) -> str:
    return limits.sha256(words.contiguous().numpy().tobytes())


def joined(folders: Sequence[Path], start: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The checkpoint in fp16. folders: of all returns. start: what the run started from, needed for what stayed as it was."""
    lists = [folder / RETURNED for folder in folders if (folder / RETURNED).exists()]
    if not lists:
        raise Damaged(f"{RETURNED} has not come back.")
    list_of = json.loads(lists[0].read_text("utf-8"))
    tensors = load(b"".join(checked(found(name, folders), entry) for name, entry in list_of["pieces"].items()))
    if list_of["words"]:
        if WORDS not in start or words_hash(start[WORDS].half()) != list_of["words"]:
            raise Damaged(
                "The word embedding differs from the one that the run started from. Unpack with the folder that was packed for it."
            )
        tensors[WORDS] = start[WORDS].half()
    return with_changes(tensors, start) if list_of["isDifference"] else tensors


def found(name: str, folders: Sequence[Path]) -> Path:
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    raise Damaged(f"{name} has not come back. Name the folders of all returns.")


def with_changes(tensors: Mapping[str, Tensor], start: Mapping[str, Tensor]) -> dict[str, Tensor]:
    whole = {name: tensor for name, tensor in tensors.items() if not name.endswith((CHANGES, SCALES))}
    for name in (name.removesuffix(CHANGES) for name in tensors if name.endswith(CHANGES)):
        change = tensors[f"{name}{CHANGES}"].float() * tensors[f"{name}{SCALES}"][:, None]
        whole[name] = (start[name] + change).half()
    return whole
